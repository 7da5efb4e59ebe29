// The answers of the engine, by question. `test/types.test.mjs` asks the questions and has the
// compiler compare each answer with its type, name by name. Parts that answers of the desk have too are those of
// desk.d.ts, which is generated from the types of the engine.

import type { Average, Inferior, LargeCount, Losses, OneContract, ReviewedContract, SolvedCard, Step, SuitLine,
  SummaryLists } from "./desk.d.ts";
export type { Average as SuitAverage, Inferior, Losses, OneContract as ParContract, SolvedCard as Worth, Step, SuitLine,
  SuitStep } from "./desk.d.ts";

/** `N`, `E`, `S` or `W`. */
export type Seat = string;
/** `S`, `H`, `D` or `C`. */
export type Suit = string;
/** A suit or `NT`. */
export type Strain = string;
/** `None`, `NS`, `EW` or `All`. */
export type Vulnerable = string;
/** A suit and a rank of `AKQJT98765432`, as `SA`. */
export type Card = string;

/** A count; as text where it is above 2^53. */
export type Whole = LargeCount;
/** Of North and South, and of East and West. */
export type Sides = [number, number];

export interface Call {
  call: string;
  alert: string | null;
}

export interface Board {
  error?: undefined;
  board: number | null;
  room: string | null;
  deal: string | null;
  hands: (string | null)[];
  dealer: Seat | null;
  vulnerable: Vulnerable | null;
  points: number[] | null;
  calls: Call[];
  auction: string | null;
  passed_out: boolean;
  contract: string | null;
  declarer: Seat | null;
  strain: Strain | null;
  leader: Seat | null;
  play: Card[];
  result: number | null;
  score: number | null;
  claim: number | null;
  players: (string | null)[] | null;
  pbn: string;
  notes: string[];
}

/** A board that could not be read. */
export interface NotRead {
  error: string;
  deal?: undefined;
}

/** The teams of a match, the first of them North and South in the open room. */
export interface Match {
  title: string;
  teams: [string, string];
  /** The IMPs that each brings along. */
  carried: [number, number];
}

/** Tricks by strain and declarer. */
export type Tricks = Record<Strain, Record<Seat, number>>;

export interface Par {
  dealer: Seat;
  vulnerable: Vulnerable;
  score: number;
  contracts: OneContract[];
}

export interface Review {
  leader: Seat;
  tricks: number;
  tricks_left: number;
  contract?: ReviewedContract;
  cards: Step[];
}

export interface Summary {
  summary: SummaryLists;
}

export interface Glance {
  tricks: Tricks;
  par: Par | null;
  double_dummy: number | null;
  result: number | null;
  outcome: string | null;
  score: number | null;
  over_par: number | null;
  lost: Sides | null;
  review: Review | null;
  summary: Summary | null;
  problem: string | null;
}

/** A table compared with the other tables of its board. */
export interface Duel {
  score: number | null;
  imps: number | null;
  matchpoints: number | null;
}

export interface Shown {
  strain: Strain;
  to_play: Seat;
  leader: Seat;
  tricks_left: number;
  won: Sides;
  points: number[];
  hands: string[];
  /** Each with its seat. */
  on_table: [Seat, Card][];
  last_trick: [Seat, Card][];
  legal: Card[];
}

export interface Matter {
  leader: Seat;
  tricks: number;
  tricks_left: number;
  most: number;
  takes: number;
  matter: Card[];
  same: Whole;
  all: Whole;
}

export interface Neighbour {
  swapped: [string, string];
  seats: [string, string];
  deal: string;
  tricks: number;
}

/** How many layouts give each number of tricks. */
export interface Counts {
  counts: number[];
  layouts: number;
}

export interface Chances extends Counts {
  cards: (Counts & { card: string })[];
  splits: Record<string, (Counts & { lengths: number[] })[]>;
  to_play: Seat;
  side: string;
  tricks_left: number;
  drawn_of: Whole;
  exact: boolean;
}

export interface Compared {
  contract: string;
  makes: number;
  half_width: number;
  interval: [number, number];
  score: number;
  matchpoints: number;
  imps: number;
}

/** A play that is normal and takes few tricks. */
export interface Worst {
  tricks: number;
  play: Card[];
  by_trick: { leader: Seat; cards: string[]; won: boolean }[];
}

export interface Ruling {
  limit?: undefined;
  claimer: Seat;
  claimed: number;
  awarded: number;
  sure: number;
  double_dummy: number;
  tricks_left: number;
  /** What is awarded if the claim did not mention trumps that are out; empty where that makes no difference. */
  on_trumps: string;
  line: string;
  why: string;
  worst: Worst;
  inferior: Inferior | null;
  readings: { reading: string; awarded: number; why: string; worst: Worst }[];
}

/** The search looked at so many nodes and did not decide. */
export interface Limit {
  limit: number;
}

export interface Assumption {
  condition: string;
  words: string;
  layouts: Whole;
  of: Whole;
  share: number;
  tricks: number;
}

/** The answer to each question. */
export interface Answers {
  boards: { boards: (Board | NotRead)[]; match: Match | null };
  file: { boards: (Board | NotRead)[]; match: Match | null };
  decode: { text: string };
  write: { text: string };
  contracts: { contracts: string[] };
  glance: Glance;
  tables: { tables: Duel[] };
  summary: Summary;
  score: { score: number; outcome: string };
  strain: { tricks: Tricks; kinds: Record<Strain, Record<Seat, string>> };
  par: { par: Par[] };
  position: Shown;
  cards: Shown & { cards: SolvedCard[]; takes: number };
  record: Review & { won: Sides; makes: number[];
    players: { seat: Seat; cards: number; mistakes: number; tricks: number }[] };
  matter: Matter;
  beside: { leader: Seat; tricks: number; tricks_left: number; lengths: number[][]; beside: Neighbour[] };
  hard: { strain: Strain; leader: Seat; deal: string; right: Card[] };
  chances: Chances;
  shares: {
    shares: { layouts: number; mean: number; half_width: number; at_least: number; interval: [number, number] | null;
      each: number[] }[];
  };
  goal: { need: number };
  condition: { words: string | null; forms: [string, string][] };
  compare: { contracts: Compared[]; side: string; layouts: number; drawn_of: Whole };
  suit: { at_least: number[]; lines: SuitLine[]; average: Average | null; matchpoints: Average | null };
  single: { tricks: number; layouts: number; of: number; cards: { card: Card; layouts: number }[] };
  soon: { least: number; most: number };
  sure: Limit | { limit?: undefined; claimer: Seat; tricks_left: number; layouts: Whole; sure: number };
  sure_cards: Limit | { limit?: undefined; cards: { card: Card; sure: number }[] };
  plan: Limit | { limit?: undefined; tricks: number; order: string[] | null; why: string[] };
  against: Limit | { limit?: undefined; tricks: number; verdict: string; hidden?: string[];
    layouts?: [string, string][] | null };
  help: Limit | { limit?: undefined; tricks: number; assume: Assumption[]; complete: boolean };
  adjudicate: Limit | Ruling;
}

/** What is known of a question. */
export interface Said<Answer> {
  answer?: Answer;
  error?: string;
  stopped?: boolean;
  pending?: boolean;
}
