// The answers to the page. Generated: see tests/it/schema.rs.

import type {
  Average,
  Card,
  CardLayouts,
  CardSure,
  Contract,
  ContractOdds,
  Deal,
  Hand,
  Inferior,
  LargeCount,
  Line,
  OnePar,
  Plan,
  Reading,
  ReadingOf,
  ReviewedContract,
  Seat,
  SessionLists,
  Side,
  SolvedCard,
  Step,
  Strain,
  SuitLine,
  SummaryLists,
  Vulnerability,
  Worst,
} from "./desk.d.ts";

export type * from "./desk.d.ts";

/** One object or the other. */
type Or<A, B> =
  | A & { [Name in Exclude<keyof B, keyof A>]?: undefined }
  | B & { [Name in Exclude<keyof A, keyof B>]?: undefined };

/** Whether tricks are sure, and why not. */
export type Against = {
  /** The seats of the hidden hands. */
  hidden: [Seat, Seat];
  /** Layouts of these hands such that every plan fails in one of them; null if none were found. */
  layouts: ([Hand, Hand])[] | null;
  tricks: number;
  /** `sure` or `not sure`. */
  verdict: string;
};

/** An assumption that makes a claim sure, also in words. */
export type AssumptionInWords = {
  /** The assumption, as a condition of a question. */
  condition: string;
  /** The number of layouts in which it holds. */
  layouts: number;
  /** The number of all layouts. */
  of: number;
  /** The share of the layouts in which it holds, 0 to 1. */
  share: number;
  /** The tricks that are sure with it. */
  tricks: number;
  /** The condition in words. */
  words: string;
};

/** A board, or the reason that it could not be read. */
export type BoardRead = Or<ShownBoard, ErrorText>;

/** The boards of a text. */
export type BoardsRead = {
  /** The boards, and the problems of those that could not be read. */
  boards: BoardRead[];
  /** The teams, if it is a match. */
  match: TeamMatch | null;
};

/** The layouts by the tricks with a card. */
export type CardTrickSums = {
  card: Card;
  /** The number of layouts with 0, 1, … tricks. */
  counts: number[];
  /** The number of layouts. */
  layouts: number;
};

/** Contracts by their scores, over drawn layouts, or over all if there are no more than would be drawn. */
export type Comparison = {
  /** The contracts. */
  contracts: ContractOdds[];
  /** Number of all layouts. */
  layouts: LargeCount;
  /** The seed of the layouts. */
  seed: number;
  /** The side whose scores are counted. */
  side: Side;
};

/** A condition, explained. */
export type ConditionInWords = {
  /** The forms that conditions have, each with its meaning. */
  forms: ([string, string])[];
  /** The condition in words; null of none. */
  words: string | null;
};

/** Contracts to compare. */
export type ContractList = {
  /** The contracts. */
  contracts: Contract[];
};

/** The reason that there is no answer, or no board. */
export type ErrorText = {
  /** The reason. */
  error: string;
};

/** A call, with its alert or explanation. */
export type ExplainedCall = {
  alert: string | null;
  call: string;
};

/** A board at a glance. Fields that are missing in the record, and those derived from them, are `null`. */
export type Glance = {
  /** The declarer's tricks double dummy in the contract. */
  double_dummy: number | null;
  /** The tricks that mistakes cost North and South, and East and West. */
  lost: [number, number] | null;
  /** The result against the contract, in words. */
  outcome: string | null;
  /** The score less par. */
  over_par: number | null;
  /** As an object of `par`. */
  par: OnePar | null;
  /** The reason that the play cannot be reviewed. */
  problem: string | null;
  /** The declarer's tricks at the table. */
  result: number | null;
  /** As `analyse`. */
  review: Review | null;
  /** The score of North and South at the table. */
  score: number | null;
  /** The board's share of the summary of `analyse`. */
  summary: Summary | null;
  /** The tricks, by strain and declarer. */
  tricks: Record<string, Record<string, number>>;
};

/** An ending in which one lead alone is right. */
export type HardEnding = {
  deal: Deal;
  leader: Seat;
  /** The right lead. */
  right: [Card];
  strain: Strain;
};

/** The assumptions that would make tricks sure. */
export type Help = {
  /** The weakest assumptions, the one that holds in the most layouts first. */
  assume: AssumptionInWords[];
  /** True if no weaker ones exist. */
  complete: boolean;
  tricks: number;
};

/** The shares of some layouts. */
export type LayoutShare = {
  /** The share with the wanted tricks or more. */
  at_least: number;
  /** The share of each number of tricks. */
  each: number[];
  /** Half of the interval of the mean. */
  half_width: number;
  /** The 95 % interval of `at_least`, if layouts were drawn. */
  interval: [number, number] | null;
  /** The number of layouts. */
  layouts: number;
  /** The mean number of tricks. */
  mean: number;
};

/** Shares of layouts. */
export type LayoutShares = {
  /** Those of each line of counts. */
  shares: LayoutShare[];
};

/** Layouts by the tricks of the side to play. */
export type LayoutSums = {
  /** The cards that may be played. */
  cards: CardTrickSums[];
  /** The number of layouts with 0, 1, … tricks. */
  counts: number[];
  /** The number of all layouts. */
  drawn_of: LargeCount;
  /** True if that number is exact. */
  exact: boolean;
  /** The number of layouts. */
  layouts: number;
  /** Its side. */
  side: Side;
  /** The splits of each suit. */
  splits: Record<string, SplitSums[]>;
  /** The seat to play. */
  to_play: Seat;
  tricks_left: number;
};

/** The cards on which a result depends. */
export type MatterCounts = {
  /** The number of positions with the same lengths. */
  all: LargeCount;
  /** The seat that leads, or led, to the trick. */
  leader: Seat;
  /** The cards that matter. */
  matter: Card[];
  /** The tricks of the side to play. */
  most: number;
  /** The number of positions with the same lengths and these cards in the same hands. */
  same: LargeCount;
  /** The tricks of the declarer's side in all. */
  takes: number;
  /** The tricks of its side. */
  tricks: number;
  tricks_left: number;
};

/** The tricks to play for. */
export type NeededTricks = {
  /** The tricks that the side to play needs. */
  need: number;
};

/** An ending in which two cards adjacent in rank have changed hands. */
export type Neighbour = {
  deal: Deal;
  /** The seats that held them. */
  seats: [Seat, Seat];
  /** The two cards. */
  swapped: [Card, Card];
  /** The tricks of the leader's side. */
  tricks: number;
};

/** The endings beside an ending. */
export type Neighbours = {
  /** The endings beside it. */
  beside: Neighbour[];
  leader: Seat;
  /** The lengths of the suits, spades first, each of the hands from North. */
  lengths: [[number, number, number, number], [number, number, number, number], [number, number, number, number], [number, number, number, number]];
  /** The tricks of the leader's side. */
  tricks: number;
  tricks_left: number;
};

/** Par for each requested vulnerability and dealer. */
export type Pars = {
  /** The results. */
  par: OnePar[];
};

/** A text. */
export type PlainText = {
  text: string;
};

/** A plan for tricks that are sure. */
export type PlanInWords = {
  /** The cards of the claimer's side, two for each trick, if their order is all that counts. */
  order: string[] | null;
  tricks: number;
  /** The plan in words, a line of text for each step. */
  why: string[];
};

/** A point of the play, before anything is solved. */
export type PlayPoint = {
  /** The hands now, from North. */
  hands: [Hand, Hand, Hand, Hand];
  /** The last trick that was finished. */
  last_trick: ([Seat, Card])[];
  /** The seat that leads, or led, to the trick. */
  leader: Seat;
  /** The cards that may be played. */
  legal: Card[];
  /** The cards of the trick under way, each with its seat. */
  on_table: ([Seat, Card])[];
  /** The high-card points of the hands. */
  points: [number, number, number, number];
  strain: Strain;
  /** The seat to play. */
  to_play: Seat;
  /** The tricks left, the trick under way included. */
  tricks_left: number;
  /** The tricks won by North and South, and by East and West. */
  won: [number, number];
};

/** The cards of a player. */
export type PlayerCards = {
  /** The number of cards. */
  cards: number;
  /** The number of mistakes among them. */
  mistakes: number;
  seat: Seat;
  /** The tricks that these cost. */
  tricks: number;
};

/** A play and the costs of its cards. */
export type Review = {
  /** The cards in the order of play. */
  cards: Step[];
  /** The declarer's view, if the contract is known. */
  contract?: ReviewedContract;
  /** The seat that leads to the first trick, whose side takes the tricks. */
  leader: Seat;
  /** Double-dummy tricks of the leader's side at the start. */
  tricks: number;
  /** The tricks left at the start. */
  tricks_left: number;
};

/** A play, reviewed. */
export type ReviewedPlay = {
  /** The cards in the order of play. */
  cards: Step[];
  /** The declarer's view, if the contract is known. */
  contract?: ReviewedContract;
  /** The seat that leads to the first trick, whose side takes the tricks. */
  leader: Seat;
  /** The declarer's tricks after 0, 1, … cards, with best play from there. */
  makes: number[];
  /** The players; dummy's cards are the declarer's. */
  players: PlayerCards[];
  /** Double-dummy tricks of the leader's side at the start. */
  tricks: number;
  /** The tricks left at the start. */
  tricks_left: number;
  /** The tricks won by North and South, and by East and West. */
  won: [number, number];
};

/** A ruling on a claim. */
export type Ruling = {
  /** The tricks to award: those claimed, unless a normal play takes fewer. */
  awarded: number;
  /** The worst play and those of the readings, trick by trick. */
  by_trick: WonTrick[][];
  /** The tricks claimed. */
  claimed: number;
  claimer: Seat;
  /** The double-dummy tricks. */
  double_dummy: number;
  /** The first card of the claimer's side in that play that costs a trick in the actual layout. */
  inferior: Inferior | null;
  /** The line that was stated. */
  line: Line;
  /** What is awarded if the claim did not mention trumps that are out; empty where that makes no difference. */
  on_trumps: string;
  /** Other readings of the law that award another number. */
  readings: Reading[];
  /** The tricks that were sure with the claimer's knowledge. */
  sure: number;
  tricks_left: number;
  /** Readings that might award another number, undecided within the limit. */
  undecided?: ReadingOf[];
  /** The reason. */
  why: string;
  /** The normal play that takes the fewest tricks as the cards lie; if none takes fewer than were claimed, one of them. */
  worst: Worst;
};

/** A result. */
export type ScoreInWords = {
  /** The result against the contract, in words. */
  outcome: string;
  /** The score of North and South. */
  score: number;
};

/** The limit that a search reached. */
export type SearchLimit = {
  /** The number of nodes. */
  limit: number;
};

/** The results of all tables. */
export type SessionOfBoards = {
  /** The result of each board of the text: the indices of its board and of its table; null of a board without a result, or with those of several tables. */
  places: ([number, number] | null)[];
  /** The results and the rankings. */
  session: SessionLists;
  /** The faults of boards that cannot be read, each with its line. */
  unread?: string[];
};

/** A board of a record. What is unknown is null. */
export type ShownBoard = {
  /** The calls without their explanations. */
  auction: string | null;
  /** The number of the board. */
  board: number | null;
  calls: ExplainedCall[];
  /** The tricks that the declarer claimed, in all. */
  claim: number | null;
  contract: Contract | null;
  deal: Deal | null;
  dealer: Seat | null;
  declarer: Seat | null;
  /** The hands from North. */
  hands: [Hand | null, Hand | null, Hand | null, Hand | null];
  leader: Seat | null;
  /** The line of the text on which its record begins, from 1. */
  line: number;
  /** Doubts about the record. */
  notes: string[];
  /** The numbers of the pairs: North and South, East and West. */
  pairs: [string | null, string | null];
  passed_out: boolean;
  /** The board in PBN. */
  pbn: string;
  /** The cards in the order of play. */
  play: Card[];
  /** True if the record has a result of its own, or those of all tables. */
  played: boolean;
  /** The names of the players from North. */
  players: [string, string, string, string] | null;
  /** The high-card points of the hands. */
  points: [number, number, number, number] | null;
  /** The declarer's tricks. */
  result: number | null;
  /** `open` or `closed`. */
  room: string | null;
  /** The score of North and South. */
  score: number | null;
  strain: Strain | null;
  /** The table at which it was played. */
  table: string | null;
  vulnerable: Vulnerability | null;
};

/** A point of the play, and the tricks with each card. */
export type SolvedPoint = {
  /** The cards that may be played, with the tricks of the side to play. */
  cards: SolvedCard[];
  /** The hands now, from North. */
  hands: [Hand, Hand, Hand, Hand];
  /** The last trick that was finished. */
  last_trick: ([Seat, Card])[];
  /** The seat that leads, or led, to the trick. */
  leader: Seat;
  /** The cards that may be played. */
  legal: Card[];
  /** The cards of the trick under way, each with its seat. */
  on_table: ([Seat, Card])[];
  /** The high-card points of the hands. */
  points: [number, number, number, number];
  strain: Strain;
  /** The tricks of the declarer's side in all. */
  takes: number;
  /** The seat to play. */
  to_play: Seat;
  /** The tricks left, the trick under way included. */
  tricks_left: number;
  /** The tricks won by North and South, and by East and West. */
  won: [number, number];
};

/** The layouts in which a suit is split in one way. */
export type SplitSums = {
  /** The number of layouts with 0, 1, … tricks. */
  counts: number[];
  /** The number of layouts. */
  layouts: number;
  /** The lengths in the hands from North. */
  lengths: [number, number, number, number];
};

/** The results of one strain. */
export type StrainTricks = {
  /** The bonus of each result: `none`, `part`, `game` or `slam`. */
  kinds: Record<string, Record<string, string>>;
  /** The tricks, by strain and declarer. */
  tricks: Record<string, Record<string, number>>;
};

/** The best lines of one suit. */
export type SuitLines = {
  /** The chance of at least 0, 1, … tricks, each with its best line. */
  at_least: number[];
  /** The line with the best average, unless there are too many lines. */
  average: Average | null;
  /** The best line for the requested number of tricks, or for each. */
  lines: SuitLine[];
  /** The best line at matchpoints, unless there are too many lines. */
  matchpoints: Average | null;
  /** North's cards, as in the question. */
  north: string;
  /** South's cards. */
  south: string;
};

/** The mistakes of many boards, by player and by pair. Boards may be added in any order. */
export type Summary = {
  /** The mistakes of all boards. */
  summary: SummaryLists;
};

/** Bounds on the sure tricks. */
export type SureBounds = {
  least: number;
  most: number;
};

/** The cards that may be played. */
export type SureCards = {
  cards: CardSure[];
};

/** The tricks that are sure. */
export type SureCount = {
  claimer: Seat;
  /** The number of layouts of the hidden cards. */
  layouts: LargeCount;
  /** The tricks that are sure in each. */
  sure: number;
  tricks_left: number;
};

/** The layouts in which tricks are sure against best defence. */
export type SureTricks = {
  /** The cards that may be played. */
  cards: CardLayouts[];
  /** The layouts in which the best line takes them. */
  layouts: number;
  /** The number of all layouts. */
  of: number;
  /** A plan that is sure in the maximum number of layouts, on request. */
  plan: Plan | null;
  /** Number of tricks. */
  tricks: number;
};

/** The teams of a match, the first of them North and South in the open room. */
export type TeamMatch = {
  /** The IMPs that each brings along. */
  carried: [number, number];
  teams: [string, string];
  title: string;
};

/** A trick of a play. */
export type WonTrick = {
  /** The cards in order. */
  cards: Card[];
  leader: Seat;
  /** True if the claimer's side wins it. */
  won: boolean;
};

/** The answers by the names of their questions. */
export interface Answers {
  adjudicate: Or<Ruling, SearchLimit>;
  against: Or<Against, SearchLimit>;
  beside: Neighbours;
  boards: BoardsRead;
  cards: SolvedPoint;
  chances: LayoutSums;
  compare: Comparison;
  condition: ConditionInWords;
  contracts: ContractList;
  decode: PlainText;
  file: BoardsRead;
  glance: Glance;
  goal: NeededTricks;
  hard: HardEnding;
  help: Or<Help, SearchLimit>;
  matter: MatterCounts;
  par: Pars;
  plan: Or<PlanInWords, SearchLimit>;
  position: PlayPoint;
  record: ReviewedPlay;
  score: ScoreInWords;
  session: SessionOfBoards;
  shares: LayoutShares;
  single: SureTricks;
  soon: SureBounds;
  strain: StrainTricks;
  suit: SuitLines;
  summary: Summary;
  sure: Or<SureCount, SearchLimit>;
  sure_cards: Or<SureCards, SearchLimit>;
  write: PlainText;
}
