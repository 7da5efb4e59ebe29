// The page's own questions and their answers. Generated: see crates/page/tests/schema.rs.

import type {
  AnswerFrame,
  DeskAnswers,
  Question as DeskQuestion,
  Card,
  Contract,
  Deal,
  Hand,
  OnePar,
  ReviewedContract,
  Seat,
  Step,
  Strain,
  SummaryLists,
  Vulnerability,
} from "./desk.d.ts";

export type * from "./desk.d.ts";

/** One object or the other. */
type Or<A, B> =
  | A & { [Name in Exclude<keyof B, keyof A>]?: undefined }
  | B & { [Name in Exclude<keyof A, keyof B>]?: undefined };

/** A board, or the reason that it could not be read. */
export type BoardRead = Or<ShownBoard, ErrorText>;

/** A board, as `boards` has it; other names are passed over. What is missing is unknown. */
export type BoardToWrite = {
  board?: number;
  calls?: CallToWrite[];
  /** The tricks that the declarer claimed, in all. */
  claim?: number;
  contract?: Contract;
  dealer?: Seat;
  /** The hands from North. */
  hands?: (Hand | null)[];
  leader?: Seat;
  passed_out?: boolean;
  /** The cards in the order of play. */
  play?: Card[];
  /** The names of the players from North. */
  players?: string[];
  /** The declarer's tricks. */
  result?: number;
  room?: string;
  vulnerable?: Vulnerability;
};

/** A call, with its alert or explanation. */
export type CallToWrite = {
  alert?: string;
  call?: string;
};

/** The reason that a board could not be read. */
export type ErrorText = {
  /** The reason. */
  error: string;
};

/** A call, with its alert or explanation. */
export type ExplainedCall = {
  alert: string | null;
  call: string;
};

/** A format of files. */
export type FileFormat = "pbn" | "lin";

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
  /** The deal: four hands of the same length. */
  deal: Deal | null;
  dealer: Seat | null;
  declarer: Seat | null;
  /** The hands from North. */
  hands: [Hand | null, Hand | null, Hand | null, Hand | null];
  /** The reason that it has no deal. */
  lacks: string | null;
  leader: Seat | null;
  /** The line of the text on which its record begins, from 1. */
  line: number;
  /** Warnings about the record. */
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
  /** The declarer's tricks. */
  result: number | null;
  /** `open` or `closed`. */
  room: string | null;
  /** The score of North and South. */
  score: number | null;
  /** True if the record has the results of all tables. */
  scored: boolean;
  strain: Strain | null;
  /** The table at which it was played. */
  table: string | null;
  vulnerable: Vulnerability | null;
};

/** The mistakes of many boards, by player and by pair. Boards may be added in any order. */
export type Summary = {
  /** The mistakes of all boards. */
  summary: SummaryLists;
};

/** The teams of a match, the first of them North and South in the open room. */
export type TeamMatch = {
  /** The IMPs that each brings along. */
  carried: [number, number];
  teams: [string, string];
  title: string;
};

/** A question with its options. */
export type Question =
  | DeskQuestion
  | {
    /** The name of the question. */
    ask: "boards";
    /** The name of the file, for errors. */
    name?: string;
    /** The text. */
    source: string;
  }
  | {
    /** The name of the question. */
    ask: "condition";
    /** The condition. */
    if?: string;
  }
  | {
    /** The name of the question. */
    ask: "contracts";
    /** The record of one board in any format, instead of the line. */
    board?: string;
    /** The declarer. */
    by: Seat;
    /** The contract that was played. */
    contract?: Contract;
    /** The line of the question. */
    question?: string;
    /** The 20 results of the deal by strain from no trump and in each by declarer from North, if they are known. */
    tricks?: number[];
    /** The vulnerable sides. */
    vulnerable: Vulnerability;
  }
  | {
    /** The name of the question. */
    ask: "decode";
    /** The bytes, each as the letter of its number. */
    letters: string;
  }
  | {
    /** The name of the question. */
    ask: "glance";
    /** The record of one board in any format, instead of the line. */
    board?: string;
    /** The line of the question. */
    question?: string;
  }
  | {
    /** The name of the question. */
    ask: "score";
    /** The contract, with its declarer. */
    contract: Contract;
    /** The declarer's tricks. */
    tricks: number;
    /** The vulnerable sides. */
    vulnerable: Vulnerability;
  }
  | {
    /** The name of the question. */
    ask: "write";
    /** The boards. */
    boards: BoardToWrite[];
    /** The format. */
    format: FileFormat;
  };

/** The answers by the names of their questions. */
export interface Answers extends DeskAnswers {
  boards: AnswerFrame & {
    /** The number of boards after the last of these, which are more than the page shows. */
    beyond: number;
    /** The boards, and the problems of those that could not be read. */
    boards: BoardRead[];
    /** The teams, if it is a match. */
    match: TeamMatch | null;
    /** The first line with text that belongs to no board, and is passed over. */
    text_between: number | null;
  };
  condition: AnswerFrame & {
    /** The forms that conditions have, each with its meaning. */
    forms: ([string, string])[];
    /** The condition in words; null of none. */
    words: string | null;
  };
  contracts: AnswerFrame & {
    /** The contracts. */
    contracts: Contract[];
  };
  decode: AnswerFrame & {
    /** The text. */
    source: string;
  };
  glance: AnswerFrame & {
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
  score: AnswerFrame & {
    /** The result against the contract, in words. */
    outcome: string;
    /** The score of North and South. */
    score: number;
  };
  write: AnswerFrame & {
    /** The text. */
    source: string;
  };
}
