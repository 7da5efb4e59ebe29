// Questions to the desk and its answers. Generated: see crates/page/tests/schema.rs.

/** The adjudication of a contested claim. */
export type Adjudication = {
  /** The tricks to award: those claimed, unless a normal play takes fewer. */
  awarded: number;
  /** The tricks claimed. */
  claimed: number;
  /** The double-dummy tricks. */
  double_dummy: number;
  /** The first card of the claimer's side in that play that costs a trick in the actual layout. */
  inferior: Inferior | null;
  /** Other readings of the law that award another number. */
  readings: Reading[];
  /** The tricks that were sure with the claimer's knowledge. */
  sure: number;
  /** Readings that might award another number, undecided within the limit. */
  undecided?: ReadingOf[];
  /** The reason. */
  why: string;
  /** The normal play that takes the fewest tricks as the cards lie; if none takes fewer than were claimed, one of them. */
  worst: Worst;
};

/** An assumption that makes a claim sure. */
export type Assumption = {
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
};

/** The tricks of a line. */
export type Average = {
  /** The chances of at least 0, 1, … tricks. */
  at_least: number[];
  /** The share of matchpoints, 0 to 1, against all lines that are not worse everywhere; null if these are too many. */
  matchpoints: number | null;
  /** Their mean. */
  mean: number;
};

/** A bid, such as `3NT`. */
export type Bid = string;

/** A board at all its tables. */
export type BoardResults = {
  /** The board's number. */
  board: number | null;
  /** The dealer. */
  dealer: Seat | null;
  /** As an object of `par`, if the hands are known. */
  par: OnePar | null;
  /** The tables. */
  tables: TableLine[];
  /** The vulnerable sides. */
  vulnerable: Vulnerability | null;
};

/** A card, such as `SA` or `HT`. */
export type Card = string;

/** A card, and the layouts in which a line that begins with it takes the tricks. */
export type CardLayouts = {
  /** The card. */
  card: Card;
  /** The layouts in which it does double dummy; null without a database. */
  double_dummy: LargeCount | null;
  /** The layouts in which the best line after it takes them. */
  layouts: number;
};

/** The odds of a card. */
export type CardOdds = {
  /** The card. */
  card: Card;
  /** The probability of 0, 1, … tricks. */
  chances: number[];
  /** The number of layouts with 0, 1, … tricks. */
  counts: LargeCount[];
  /** As those of all layouts, if these were drawn. */
  intervals?: ([number, number])[];
  /** The number of layouts. */
  layouts: LargeCount;
  /** The mean number of tricks. */
  mean: number;
  /** As that of all layouts, if these were drawn. */
  mean_half_width?: number;
};

/** A card and the tricks that are sure with it. */
export type CardSure = {
  /** The card. */
  card: Card;
  /** The tricks of the claimer's side that are sure once it is played. */
  sure: number;
};

/** A card, and the value of the best line that begins with it. */
export type CardValue = {
  /** An upper bound for any line; equal to `worth` if the search finished. */
  at_most: number;
  /** The card. */
  card: Card;
  /** Cards of the same hand that are equal in every layout: no card of another hand lies between. */
  equals: Card[];
  /** The minimum of remaining tricks that the line takes, by layout. (It may take more if additional tricks have no value.) */
  tricks: number[];
  /** The weighted average of the line found: tricks, a share of targets made, or a score. */
  worth: number;
};

/** Conditions on the hidden hands, each a text such as `E+HK,W.S=0-2`; all must hold. */
export type Conditions = string | string[];

/** A contract, such as `4S` or `3NTX`. */
export type Contract = string;

/** A contract's results in layouts that were drawn, or in all of them. */
export type ContractOdds = {
  /** The probability of 0, 1, … tricks. */
  chances: number[];
  /** The contract. */
  contract: Contract;
  /** The number of layouts with 0, 1, … tricks. */
  counts: LargeCount[];
  /** The mean of its IMPs against the first contract of the list; missing if it is the only one. */
  imps?: number;
  /** The number of layouts. */
  layouts: LargeCount;
  /** The chance that it makes. */
  makes: number;
  /** The 95 % interval of that chance; the chance twice if these are all layouts. */
  makes_interval: [number, number];
  /** The share of matchpoints of that side against each other contract of the list, 0 to 1; missing if it is the only one. */
  matchpoints?: number;
  /** The mean number of tricks. */
  mean: number;
  /** The mean score of the side that looks. */
  score: number;
  /** The half-width of the mean's 95 % interval; 0 if these are all layouts. */
  score_half_width: number;
};

/** Layouts such that every plan fails in at least one of them. One layout is enough where double dummy fails. Two are typical of a guess: the card that wins in one loses in the other. */
export type Core = {
  /** The cards of the two hidden hands in each layout. */
  layouts: ([Hand, Hand])[];
  /** The number of tricks claimed. */
  tricks: number;
};

/** A board on which a pair took fewer tricks than double dummy. */
export type CostlyBoard = {
  /** The board's number. */
  board: number | null;
  /** What they cost: percentage points of the board, or IMPs. */
  cost: number;
  /** Number of lost tricks. */
  tricks: number;
};

/** A value of an expression. */
export type CountedValue = "low" | "high" | number;

/** A suit that the defenders may run at no trump. */
export type DangerousSuit = {
  /** The number of their cards. */
  cards: number;
  /** How often it is stopped if the defenders play it from the top. */
  stops: number;
  /** The suit. */
  suit: Suit;
};

/** Four hands in PBN, from North. */
export type Deal = string;

/** The best line over all remaining layouts. */
export type EndingLine = {
  /** The cards that begin such a line. */
  best: Card[];
  /** The layouts left. */
  layouts: number;
  /** The tricks that declarer still needs. */
  needed: number;
  /** The card played. */
  played: Card | null;
  /** The layouts in which the best line takes them. */
  sure: number;
  /** The tricks left. */
  tricks_left: number;
};

/** How often the contract makes if declarer's side leads a suit at its first turn to lead, with the hidden hands seen afterwards. */
export type FirstSuit = {
  /** Its 95 % interval. */
  interval: [number, number];
  /** The share of the drawn layouts. */
  makes: number;
  /** The suit. */
  suit: Suit;
};

/** A hand, such as `AKQ.J5.T98.432`. */
export type Hand = string;

/** A hidden card, with its chance in each hidden hand. */
export type HiddenCard = {
  /** The card. */
  card: Card;
  /** The chance of each hidden hand, 0 to 1. */
  chances: Record<string, number>;
};

/** A card that costs a trick as the cards lie. */
export type Inferior = {
  /** The index of the card in the play, from 0. */
  at: number;
  /** The card. */
  card: Card;
  /** The cards that cost nothing. */
  right: Card[];
  /** The seat that plays it. */
  seat: Seat;
};

/** A count; above 2^53 a text of digits. */
export type LargeCount = number | string;

/** An opening lead. */
export type Lead = {
  /** The card. */
  card: Card;
  /** The probability of 0, 1, … tricks. */
  chances: number[];
  /** The number of layouts with 0, 1, … tricks. */
  counts: LargeCount[];
  /** The chance that it defeats the contract. */
  defeats: number;
  /** The 95 % interval of that chance; the chance twice if these are all layouts. */
  defeats_interval: [number, number];
  /** As those of all layouts, if these were drawn. */
  intervals?: ([number, number])[];
  /** The number of layouts. */
  layouts: LargeCount;
  /** The mean number of tricks. */
  mean: number;
  /** As that of all layouts, if these were drawn. */
  mean_half_width?: number;
};

/** A line, such as `SA SK H2-HQ rest`. */
export type Line = string;

/** A line of play, as the [steps](Step) of a plan: the card to play, depending on the opponents' cards. [`Step::Done`] means that the goal is reached in each remaining layout by any card. */
export type LineSteps = {
  /** The first step. */
  root: number;
  /** The steps, without duplicates. */
  steps: PlanStep[];
};

/** Lines, written as a text or as a list of texts. */
export type Lines = string | string[];

/** The mistakes of a player or a pair. */
export type Losses = {
  /** Number of boards. */
  boards: number;
  /** Number of cards played; declarer plays dummy's too. */
  cards: number;
  /** Of these, as declarer. */
  declaring: number;
  /** Of these, in defence after the opening lead. */
  defending: number;
  /** Number of cards with a cost. */
  mistakes: number;
  /** The name; a seat or a side where the record has no names. */
  name: string;
  /** Of these, by the opening lead. */
  on_lead: number;
  /** The tricks that they cost. */
  tricks: number;
};

/** Bounds on the chance that the best line makes a contract, against defenders who see all cards. */
export type Makes = {
  /** The chance of an assumption that makes it sure; 1 if none is needed, 0 if none was found. */
  at_least: number;
  /** The share of the drawn layouts in which it makes double dummy, an upper bound for any line. */
  at_most: number;
  /** The 95 % interval of that share. */
  at_most_interval: [number, number];
  /** Layouts drawn. */
  drawn: number;
  /** The assumption. */
  sure_with: Assumption | null;
};

/** A number of tricks that a suit may take. */
export type MoreTricks = {
  /** The chance of the best line for them. */
  chance: number;
  /** The number of tricks. */
  tricks: number;
};

/** A contract at par, as an object. */
export type OneContract = {
  /** The seats that may declare it. */
  declarers: Seat[];
  /** True if it is doubled, because it goes down. */
  doubled: boolean;
  /** The number of odd tricks bid, 1 to 7. */
  level: number;
  /** Overtricks; undertricks are negative. */
  over: number;
  /** The strain. */
  strain: Strain;
};

/** Par for one vulnerability and dealer. */
export type OnePar = {
  /** The contracts with this score. */
  contracts: OneContract[];
  /** The dealer. */
  dealer: Seat;
  /** The score of North and South. */
  score: number;
  /** The vulnerable sides: `none`, `NS`, `EW` or `both`. */
  vulnerable: VulnerableSides;
};

/** By suit, the seats that may own each of the top cards that a set knows. */
export type Owners = Record<string, string[]>;

/** A pair's evening. */
export type PairLine = {
  /** Number of boards with a result. */
  boards: number;
  /** The board on which the tricks that it lost cost most. */
  cost_most: CostlyBoard | null;
  /** Tricks taken beyond double dummy, as declarer. */
  declaring: number;
  /** Tricks taken beyond double dummy, in defence. */
  defending: number;
  /** The sum of the IMPs. */
  imps: number | null;
  /** The sum of the matchpoints; a result given by the director is not among them. */
  matchpoints: number | null;
  /** The names of its players. */
  names: string | null;
  /** The number of the pair. */
  pair: string;
  /** The mean of the boards' percentages. */
  percent: number | null;
  /** The rank; equal results have the same one. */
  rank: number;
};

/** A plan that takes some number of tricks in every layout against every defence. It is a tree of [`Step`]s that shares equal branches. [`check_plan`] proves it without any search. [`check_plan`]: crate::check_plan */
export type Plan = {
  /** The layouts in which it takes them, by hidden hand; all if missing. */
  among?: ([Hand, Hand])[];
  /** The first step. */
  root: number;
  /** The steps. */
  steps: PlanStep[];
  /** Number of tricks taken. */
  tricks: number;
};

/** One step of a [`Plan`]; the numbers are indices in [`Plan::steps`]. */
export type PlanStep = { done: boolean } | { order: string[] } | { play: string; then: number } | { rule: string[] } | { else: number; watch: SeenHands[] };

/** The pairs of a field, the best first. */
export type Ranking = {
  /** The pairs. */
  pairs: PairLine[];
  /** `N-S` or `E-W` if that direction is ranked for itself. */
  side: string | null;
};

/** Another reading of the law, and its award. */
export type Reading = {
  /** The tricks to award. */
  awarded: number;
  /** The reading. */
  reading: ReadingOf;
  /** The reason. */
  why: string;
  /** The play that decides. */
  worst: Worst;
};

/** A reading of the law. */
export type ReadingOf = "trumps known" | "any order";

/** The declarer's view of a board. */
export type ReviewedContract = {
  /** The declarer's double-dummy tricks after the last recorded card. */
  after_last_card: number;
  /** The contract with its declarer. */
  contract: Contract;
  /** The declarer. */
  declarer: Seat;
  /** The declarer's double-dummy tricks. */
  double_dummy: number;
  /** The tricks that the declarer took, if they are known. */
  result: number | null;
};

/** Rules of thumb about the played cards, which weight the layouts. */
export type Rules = "none" | "mu" | "fitted";

/** A seat. */
export type Seat = "N" | "E" | "S" | "W";

/** Cards that another hand may play, and the step after any of them. */
export type SeenHands = {
  /** The cards. */
  cards: string[];
  /** The step. */
  then: number;
};

/** The boards and the rankings. */
export type SessionLists = {
  /** The boards, by number. */
  boards: BoardResults[];
  /** `matchpoints` or `imps`. */
  comparing: string;
  /** The rankings: one, or one for each direction if pairs of the same number sit in both. */
  rankings: Ranking[];
  /** Of each record the index of its board in `boards`, and the index of its table there, null if it has the results of several tables; null of a record without results. */
  records: ([number, number | null] | null)[];
};

/** A side. */
export type Side = "NS" | "EW";

/** A card and its tricks. */
export type SolvedCard = {
  /** The card. */
  card: Card;
  /** Lower cards with the same tricks. */
  equals: Card[];
  /** The tricks of the side to play. */
  tricks: number;
};

/** The layouts in which the suit divides in one way. */
export type Split = {
  /** The chance of the division. */
  chance: number;
  /** Number of layouts of the cards. */
  layouts: number;
  /** East's cards and West's. */
  lengths: [number, number];
  /** The number of these in which the line wins. */
  wins: number;
  /** East's holdings where it wins, if it does not win in all; `x` is a low card. */
  with_east: string[];
};

/** The odds of a way to split a suit. */
export type SplitOdds = {
  /** The probability of 0, 1, … tricks. */
  chances: number[];
  /** The number of layouts with 0, 1, … tricks. */
  counts: LargeCount[];
  /** The number of layouts. */
  layouts: LargeCount;
  /** The lengths in the hidden hands, from North; 0 for visible hands. */
  lengths: [number, number, number, number];
  /** The mean number of tricks. */
  mean: number;
};

/** An average, or numbers of deals by the values of one or two expressions. */
export type Statistic = {
  /** The average; of a frequency there is none. */
  average?: number;
  /** The values that occurred, in order, with the numbers of deals. */
  counts?: ValueCount[];
  /** The number of deals counted. */
  deals: number;
  /** The standard error of the average; of fewer than two deals there is none. */
  error?: number;
  /** The text of the script before it. */
  label: string;
};

/** A played card. */
export type Step = {
  /** The card. */
  card: Card;
  /** The cost in tricks for the side that played it. */
  gives_away: number;
  /** The right cards, if this one was a mistake; by suit from the top. */
  right?: Card[];
  /** The hand that it came from. */
  seat: Seat;
  /** Number of the trick, from 1. */
  trick: number;
  /** Tricks of the side that leads first, in all, without errors after this card. */
  tricks: number;
  /** The hand that wins the trick, if this card ends it. */
  winner?: Seat;
};

/** A strain. */
export type Strain = "NT" | "S" | "H" | "D" | "C";

/** A suit. */
export type Suit = "S" | "H" | "D" | "C";

/** A continuation, and when it is right. */
export type SuitBranch = {
  /** The steps that follow. */
  steps: SuitStep[];
  /** The trick as it went. */
  when: When;
};

/** The best line for a number of tricks. */
export type SuitLine = {
  /** The chance of these tricks. */
  chance: number;
  /** The line in words, a line of text for each step; long ones are cut. */
  plan: string[];
  /** The layouts by the number of East's cards: the longest East first. */
  splits: Split[];
  /** The complete line; empty if nothing need be done, or nothing can be. */
  steps: SuitStep[];
  /** Number of tricks. */
  tricks: number;
};

/** The tricks that a suit of declarer's two hands takes on its own. */
export type SuitSource = {
  /** The cards of both hands; `-` for none. */
  hands: Record<string, string>;
  /** Further tricks, each with its chance by the best line for that number. */
  more: MoreTricks[];
  /** The best line for the first of these, a line of text for each step. */
  plan: string[];
  /** The suit. */
  suit: Suit;
  /** The tricks that are sure. */
  sure: number;
  /** The tricks of the top cards. */
  top: number;
};

/** A trick of a plan: the lead, the card of the third hand, and the continuations. The steps printed after it apply for any play of the opponents. */
export type SuitStep = {
  /** The hand that leads: North or South. */
  from: Seat;
  /** The card that it leads. */
  lead: string;
  /** The continuations that depend on the opponents' cards; empty if none does. */
  then?: SuitBranch[];
  /** The cards of the third hand: one unless they depend on the second hand's. */
  third: SuitThird[];
};

/** A card of the third hand. */
export type SuitThird = {
  /** The cards of the second hand after which it is played: a rank, touching ranks as `(K/Q)`, `low` or `shows out`. */
  after: string[];
  /** The card; null if the hand is void. */
  card: string | null;
};

/** The mistakes of all boards. */
export type SummaryLists = {
  /** Number of boards. */
  boards: number;
  /** The pairs. */
  pairs: Losses[];
  /** The players. */
  players: Losses[];
};

/** The layouts in which numbers of tricks are sure against best defence. */
export type SureTarget = {
  /** The cards that may be played. */
  cards: CardLayouts[];
  /** The layouts in which the best line takes them. */
  layouts: number;
  /** Number of tricks. */
  tricks: number;
};

/** A board at a table. */
export type TableLine = {
  /** The contract. */
  contract: Contract | null;
  /** What North and South would have had in addition with double-dummy tricks in the same contract: percentage points, or IMPs; negative if East and West would have had it. */
  cost: number | null;
  /** The declarer's tricks double dummy. */
  double_dummy: number | null;
  /** The declarer's tricks less those double dummy: won by the declarer's side if positive, by the defenders if negative. */
  gained: number | null;
  /** The mean IMPs of North and South against the other tables, if there are any. */
  imps: number | null;
  /** The opening lead. */
  lead: Card | null;
  /** The matchpoints of North and South, and of East and West. */
  matchpoints: [number, number] | null;
  /** The score less par. */
  over_par: number | null;
  /** The numbers of the pairs, North and South first. */
  pairs: [string | null, string | null];
  /** True if all four players passed. */
  passed_out: boolean;
  /** The percentages of North and South, and of East and West. */
  percent: [number | null, number | null];
  /** The declarer's tricks. */
  result: number | null;
  /** The score of North and South. */
  score: number | null;
  /** The table. */
  table: string | null;
};

/** What a teacher says before the play. */
export type Teaching = {
  /** The suits that the defenders may run, the most dangerous first. */
  danger: DangerousSuit[];
  /** The high cards with which each hand of declarer's side can be reached. */
  entries: Record<string, Hand>;
  /** The suits to play on first, the best first; empty if the contract is sure, or makes in no layout that was drawn. */
  first: FirstSuit[];
  /** The suits, from spades. */
  sources: SuitSource[];
};

/** The number or the text that a number of tricks is written as. */
export type TricksText = number | string;

/** A value, or a pair of values, and how often it occurred. */
export type ValueCount = {
  /** The number of deals. */
  deals: number;
  /** The values; `low` and `high` for all below and above the script's range. */
  values: CountedValue[];
};

/** The words of a verdict, in descriptions of the interface. */
export type Verdict = "sure" | "not sure" | "unknown";

/** The vulnerable sides. */
export type Vulnerability = string;

/** The names of vulnerable sides. */
export type VulnerableSides = "none" | "NS" | "EW" | "both";

/** The shortest description of a trick that distinguishes its continuation. */
export type When = { won: boolean } | { second: string[] } | { fourth: string[] } | { both: ([string, string])[] };

/** A play to the end, and its tricks. */
export type Worst = {
  /** The cards of the play from here, in order. */
  play: Card[];
  /** The tricks of the claimer's side. */
  tricks: number;
};

export type refusal = {
  /** The kind of reason: `request` if an option or the form of the request is wrong, `question`, `limit` or `interrupted`; on a command line the exit status. */
  because?: string;
  /** The number of the board in the record. */
  board?: number | null;
  /** The column, counted from 1. */
  column: number | null;
  /** The reason. */
  error: string;
  /** The file of the question. */
  file?: string;
  /** The line of the question in its file. */
  line?: number;
  /** Warnings about the board. */
  notes?: string[];
  /** The option that has the fault, if one has. */
  option?: string;
  /** The numbers of the pairs: North-South and East-West. */
  pairs?: [string, string];
  /** True. */
  passed_out?: boolean;
  /** The text of the question; for a board of a record, the equivalent line. */
  question?: string | null;
  /** The room of a team match: `open` or `closed`. */
  room?: string;
  /** The table at which the board was played. */
  table?: string;
  /** The answer in the words of the command, on request. */
  text?: string;
  /** Version of this interface. */
  version: 1;
};

type QuestionFrame = {
  /** The record of one board in any format, instead of the line. */
  board?: string;
  /** The line of the question. */
  question?: string;
  /** True to get the answer in the words of the command, too. */
  text?: boolean;
};

/** A question with its options. */
export type Question =
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** Every playable card, with its tricks. */
    all?: boolean;
    /** The name of the question. */
    ask: "solve";
    /** All cards that take the most tricks, or reach the target. */
    best?: boolean;
    /** The number of deals with the same proof, for positions at the start of a trick. */
    count?: boolean;
    /** A line of play that takes the tricks, best by both sides. */
    line?: boolean;
    /** One card that takes the most tricks, or reaches the target. */
    one?: boolean;
    /** Tricks that the side to play must take, with `best` or `one`. */
    tricks?: number;
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "table";
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "par";
    /** The dealer. By default that of the board, or else each in turn. */
    dealer?: Seat;
    /** Take the double-dummy results from the record of the board, and solve nothing. */
    recorded?: boolean;
    /** The vulnerable sides: `none`, `NS`, `EW` or `both`. By default that of the board, or else all four cases. */
    vulnerable?: Vulnerability;
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "position";
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "analyse";
    /** All tricks with their winners, if the answer is a text. */
    explain?: boolean;
  }
  | Pick<QuestionFrame, "text"> & {
    /** The name of the question. */
    ask: "results";
    /** The records of the boards, the text of a file in any format. */
    boards: string;
    /** Take double-dummy results from the records, and solve nothing. */
    recorded?: boolean;
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "lesson";
    /** The number of layouts to draw; 50 unless set, or as many as `until` takes. */
    draw?: number;
    /** Maximum number of search nodes for each question about sure tricks; beyond it, the answer has bounds. */
    limit?: number;
    /** The seed of the layouts. */
    seed?: number;
    /** Stop drawing once every chance is known to within this share of 1. */
    until?: number;
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "query";
    /** The number of deals with the same proof, for positions at the start of a trick. */
    count?: boolean;
    /** The deal and the proof in words, if the answer is a text. */
    explain?: boolean;
    /** The bounds of a coarse level, instead of a search, if they leave the value open. */
    no_search?: boolean;
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "matter";
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** True to list every playable card with its sure tricks in a text; an object always has them. */
    all?: boolean;
    /** The name of the question. */
    ask: "claim";
    /** The weakest assumptions that make the tricks sure. */
    assume?: boolean;
    /** The seat that claims; needed if the visible hands are opponents. */
    by?: Seat;
    /** The tricks that are sure in all and with each card, too. */
    cards?: boolean;
    /** True to show a plan that makes the tricks, or layouts that refute them. */
    explain?: boolean;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** Maximum number of search nodes for an answer; 10,000 for the claim of a board unless set. */
    limit?: number;
    /** Decide whether this number of tricks is sure, or `all` remaining ones. */
    tricks?: TricksText;
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The name of the question. */
    ask: "line";
    /** The seat that claims; needed if the visible hands are opponents. */
    by?: Seat;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** The line that was stated, in words. */
    line?: string;
  }
  | Pick<QuestionFrame, "board" | "question" | "text"> & {
    /** The name of the question. */
    ask: "adjudicate";
    /** The seat that claims. By default the declarer of the board, or of the contract of the line. */
    by?: Seat;
    /** The seat whose hand is on the table; the claimer's partner unless set. */
    dummy?: Seat;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** Conditions on the cards that are left in the hidden hands after the play. */
    if_left?: Conditions;
    /** Maximum number of search nodes for one part of the ruling. */
    limit?: number;
    /** The line that was stated, in words. */
    line?: string;
    /** The tricks claimed, or `all` remaining ones. By default those that the board says, or all. */
    tricks?: TricksText;
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The odds of every card that may be played, too, for its own side. */
    all?: boolean;
    /** The name of the question. */
    ask: "odds";
    /** The odds for every split of each suit, too. */
    by_split?: boolean;
    /** Draw this number of layouts, even if the database can count all; if there are no more, all are counted. */
    draw?: number;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** Rules of thumb about the played cards, which weight the layouts. */
    rules?: Rules;
    /** The seed of the layouts. */
    seed?: number;
    /** Stop drawing once every chance is known to within this share of 1. */
    until?: number;
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The name of the question. */
    ask: "leads";
    /** The contract, such as `3NT`; or `3NTN` if North declares and so East leads. */
    contract: string;
    /** The number of layouts to draw; 1000 unless set, or as many as `until` takes. */
    draw?: number;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** The seed of the layouts. */
    seed?: number;
    /** Stop drawing once every chance is known to within this share of 1. */
    until?: number;
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The name of the question. */
    ask: "compare";
    /** The contracts, such as `3NT,4S` or a list of them; or `3NTN,4SS` with declarers. */
    contracts: string | string[];
    /** The number of layouts to draw; 1000 unless set, or as many as `until` takes. */
    draw?: number;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** The seed of the layouts. */
    seed?: number;
    /** Stop drawing once every chance is known to within this share of 1. */
    until?: number;
    /** The vulnerable sides: `none`, `NS`, `EW` or `both`. */
    vulnerable?: Vulnerability;
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The name of the question. */
    ask: "single_dummy";
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** Maximum number of search nodes for a number of tricks. */
    limit?: number;
    /** A plan that is sure in the maximum number of layouts, with `tricks`. */
    plan?: boolean;
    /** The target of the side to play, out of the remaining tricks; each number unless set. */
    tricks?: number;
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The name of the question. */
    ask: "best_line";
    /** The best line that begins with each card, too. */
    cards?: boolean;
    /** The layouts, 1 to 1,000: a list of deals; or a text with a deal on each line, with a weight after it or without, or PBN. */
    layouts: Lines;
    /** Number of positions after which the answer has bounds. */
    limit?: number;
    /** The line itself, too. */
    plan?: boolean;
    /** The contract, such as `3NTS` or `4SXW`, in which the line has the best score. */
    score?: Contract;
    /** Time limit in seconds, after which the answer has bounds; only the desk's limit unless set. */
    time?: number;
    /** The target that the line reaches in the most layouts; the best average unless set. */
    tricks?: number;
    /** The sides that are vulnerable, for `score`: `none`, `NS`, `EW` or `both`. */
    vulnerable?: Vulnerability;
    /** A positive weight for each layout, instead of those in the text; equal ones unless set. */
    weights?: number[];
    /** The tricks won before by declarer, for `score`. */
    won?: number;
  }
  | Pick<QuestionFrame, "text"> & {
    /** The best line for every number of tricks. */
    all?: boolean;
    /** The name of the question. */
    ask: "suit";
    /** Entries of North and of South in other suits, `null` for enough. A lead takes one, unless the hand won the trick before. */
    entries?: [number | null, number | null];
    /** Cards of the suit that were played before. */
    gone?: string;
    /** North's cards of the suit, such as `AJT98` or `AJxxx`; `-` for none. */
    north: string;
    /** South's cards. */
    south: string;
    /** Time limit of the search in seconds; the desk's limit if not set. */
    time?: number;
    /** The number of tricks to play for; the most with an even chance unless set. */
    tricks?: number;
    /** Vacant places of East and of West: the numbers of their unknown cards. */
    vacant?: [number, number];
  }
  | Pick<QuestionFrame, "question" | "text"> & {
    /** The name of the question. */
    ask: "layouts";
    /** The number of layouts to draw, as `odds` draws them. */
    draw?: number;
    /** Conditions on the hidden hands. */
    if?: Conditions;
    /** Rules of thumb about the played cards, which weight the layouts. */
    rules?: Rules;
    /** The seed of the layouts. */
    seed?: number;
  }
  | Pick<QuestionFrame, "text"> & {
    /** The name of the question. */
    ask: "deal";
    /** The contract, such as `3NTS`: it is written to the records, and conditions on results that name no contract are about it. */
    contract?: string;
    /** The number of deals. By default that of the script, or 1 without one. A script that only counts takes all deals of its `generate`, and its deals are not listed. */
    count?: number;
    /** The text of a script in the language of the program *dealer*. */
    dealer?: string;
    /** The number of the first board, which gives the dealer and the vulnerable sides. */
    first?: number;
    /** Known hands, such as `N:AKQ52.K43.QJ5.T98 ? ? ?`; or two hands, North's and South's. */
    hands?: string;
    /** Conditions on the hands. */
    if?: Conditions;
    /** Shares of named types of deals, such as `35 % weak two, 60 % strong, 5 % other`. */
    mix?: string;
    /** Conditions on the hands by name, for the mix; the names of the script are known, too. */
    name?: Record<string, string>;
    /** The seed of the deals. */
    seed?: number;
    /** The time limit in seconds, after which there are fewer deals than `count`. */
    time?: number;
    /** Conditions on the results, such as `tricks(S,NT)>=9`. */
    where?: Conditions;
  };

/** What every answer may have. */
export type AnswerFrame = {
  /** The number of the board in the record. */
  board?: number | null;
  /** The file of the question. */
  file?: string;
  /** Warnings about the board. */
  notes?: string[];
  /** The numbers of the pairs: North-South and East-West. */
  pairs?: [string, string];
  /** True. */
  passed_out?: boolean;
  /** The text of the question; for a board of a record, the equivalent line. */
  question?: string | null;
  /** The room of a team match: `open` or `closed`. */
  room?: string;
  /** The table at which the board was played. */
  table?: string;
  /** The answer in the words of the command, on request. */
  text?: string;
  /** Version of this interface. */
  version: 1;
};

/** The answers by the names of their questions. */
export interface DeskAnswers {
  solve: AnswerFrame & {
    /** The cards. */
    cards?: SolvedCard[];
    /** The contract, if the question has one. */
    contract?: Contract;
    /** The number of deals with the same proof, on request. */
    deals?: LargeCount;
    /** The tricks of its declarer. */
    declarer_tricks?: number;
    /** The seat that leads, or led, whose side takes the tricks. */
    leader?: Seat;
    /** The line of the question in its file. */
    line?: number;
    /** True if it makes, of a whole deal. */
    makes?: boolean;
    /** The cards of the play from here, in order. */
    play?: Card[];
    /** The seat to play. */
    to_play?: Seat;
    /** The tricks, by strain and declarer. */
    tricks?: Record<string, Record<string, number>> | number;
    /** The tricks left. */
    tricks_left?: number;
  };
  table: AnswerFrame & {
    /** The line of the question in its file. */
    line?: number;
    /** The tricks, by strain and declarer. */
    tricks: Record<string, Record<string, number>>;
  };
  par: AnswerFrame & {
    /** The line of the question in its file. */
    line?: number;
    /** The results. */
    par: OnePar[];
  };
  position: AnswerFrame & {
    /** The hands now, from North. */
    hands?: [Hand, Hand, Hand, Hand];
    /** The last trick that was finished. */
    last_trick?: ([Seat, Card])[];
    /** The seat that leads, or led, to the trick. */
    leader?: Seat;
    /** The cards that may be played. */
    legal?: Card[];
    /** The line of the question in its file. */
    line?: number;
    /** The cards of the trick under way, each with its seat. */
    on_table?: ([Seat, Card])[];
    /** The strain. */
    strain?: Strain;
    /** The seat to play. */
    to_play?: Seat;
    /** The tricks left, the trick under way included. */
    tricks_left?: number;
    /** The tricks won by North and South, and by East and West, since the start. */
    won?: [number, number];
  };
  analyse: AnswerFrame & {
    /** The cards in the order of play. */
    cards?: Step[];
    /** The declarer's view, if the contract is known. */
    contract?: ReviewedContract;
    /** The seat that leads to the first trick, whose side takes the tricks. */
    leader?: Seat;
    /** The line of the question in its file. */
    line?: number;
    /** The mistakes of all boards. */
    summary?: SummaryLists;
    /** The tricks, by strain and declarer. */
    tricks?: Record<string, Record<string, number>> | number;
    /** The tricks left at the start. */
    tricks_left?: number;
  };
  results: AnswerFrame & {
    /** The line of the question in its file. */
    line?: number;
    /** The results and the rankings. */
    session: SessionLists;
    /** The faults of boards that cannot be read, each with its line. */
    unread?: string[];
  };
  lesson: AnswerFrame & {
    /** The contract. */
    contract: Contract;
    /** Declarer's double-dummy tricks, after the lead if known. */
    double_dummy: number;
    /** The best line near the end of the play, if the play is recorded and the contract is still open. */
    ending: EndingLine | null;
    /** The opening lead, if known: declarer has seen it. */
    lead: Card | null;
    /** The line of the question in its file. */
    line?: number;
    /** The chance that the best line makes the contract. */
    makes: Makes;
    /** The cards that the double-dummy result depends on: with these cards in the same hands, the result is the same. */
    matter: Record<string, Hand>;
    /** The cards of the play that cost a trick. */
    mistakes: Step[];
    /** The tricks that the contract needs. */
    needed: number;
    /** True if it is the par contract, because the board has none. */
    par: boolean;
    /** The minimum and maximum of the sure tricks; equal if decided. */
    sure: [number, number];
    /** What a teacher says before the play. */
    teaching: Teaching;
  };
  query: AnswerFrame & {
    /** The minimum and maximum number of tricks, if a coarse level knows no more. */
    bounds?: [number, number];
    /** The contract, if the question has one. */
    contract?: Contract;
    /** The number of deals with the same proof, on request. */
    deals?: LargeCount;
    /** The tricks of its declarer. */
    declarer_tricks?: number;
    /** The seat that leads, or led, whose side takes the tricks. */
    leader?: Seat;
    /** The line of the question in its file. */
    line?: number;
    /** True if it makes, of a whole deal. */
    makes?: boolean;
    /** The set that proves them; missing if some cards had to be searched. */
    set?: Owners;
    /** The tricks. */
    tricks?: number;
    /** The tricks left. */
    tricks_left?: number;
  };
  matter: AnswerFrame & {
    /** The cards, spades first, the highest first. */
    cards?: Card[];
    /** The number of deals with these suit lengths and these cards in the same hands. */
    deals?: LargeCount;
    /** The seat that leads, or led, whose side takes the tricks. */
    leader?: Seat;
    /** The line of the question in its file. */
    line?: number;
    /** The number of deals with these suit lengths. */
    of?: LargeCount;
    /** The share of all deals of the cards left that have these suit lengths and these cards in the same hands; null during a trick. */
    share?: number | null;
    /** The tricks. */
    tricks?: number;
  };
  claim: AnswerFrame & {
    /** The weakest assumptions; missing if unknown, or not asked. */
    assume?: Assumption[];
    /** True if weaker assumptions may exist, because the limit came first. */
    assume_open?: boolean;
    /** The tricks that are known to be sure, and the most that may be, if the limit came first. */
    bounds?: [number, number];
    /** The cards that may be played; null if unknown, or not asked. */
    cards?: CardSure[];
    /** The tricks claimed, out of the remaining ones. */
    claimed?: number | null;
    /** The declarer. */
    claimer?: Seat;
    /** Layouts such that every plan fails in one of them. */
    core?: Core;
    /** The number of layouts of the hidden cards. */
    layouts?: number;
    /** The line of the question in its file. */
    line?: number;
    /** A plan that takes the claimed tricks. */
    plan?: Plan;
    /** The ruling if the claim were contested, without a stated line; null if the limit was reached. */
    ruling?: Adjudication | null;
    /** The tricks that are sure; null if unknown, or not asked. */
    sure?: number | null;
    /** The tricks left. */
    tricks_left?: number;
    /** The verdict on the claimed tricks. */
    verdict?: Verdict;
    /** The plan, or layouts that refute the claim; empty if none was found within the limit. */
    why?: string[] | [string];
  };
  line: AnswerFrame & {
    /** The line. */
    line: Line;
    /** The cards of the play from here, in order. */
    play: Card[];
    /** The tricks of the claimer's side. */
    tricks: number;
    /** The step that could not be made, in a sentence; of a ruling, `why` has it. */
    unmade?: string;
  };
  adjudicate: AnswerFrame & {
    /** The tricks to award: those claimed, unless a normal play takes fewer. */
    awarded?: number;
    /** The tricks claimed. */
    claimed?: number;
    /** The double-dummy tricks. */
    double_dummy?: number;
    /** The first card of the claimer's side in that play that costs a trick in the actual layout. */
    inferior?: Inferior | null;
    /** The line. */
    line?: Line;
    /** Other readings of the law that award another number. */
    readings?: Reading[];
    /** The tricks that were sure with the claimer's knowledge. */
    sure?: number;
    /** Readings that might award another number, undecided within the limit. */
    undecided?: ReadingOf[];
    /** The step that could not be made, in a sentence; of a ruling, `why` has it. */
    unmade?: string;
    /** The reason. */
    why?: string;
    /** The normal play that takes the fewest tricks as the cards lie; if none takes fewer than were claimed, one of them. */
    worst?: Worst;
  };
  odds: AnswerFrame & {
    /** Each card that may be played, for the side that plays it. */
    cards?: CardOdds[];
    /** The probability of 0, 1, … tricks. */
    chances: number[];
    /** The contract, if the question has one. */
    contract?: Contract;
    /** The number of layouts with 0, 1, … tricks. */
    counts: LargeCount[];
    /** Number of all layouts. */
    drawn_of?: LargeCount;
    /** The 95 % intervals of the chances of at least 0, 1, … tricks. */
    intervals?: ([number, number])[];
    /** The number of layouts. */
    layouts: LargeCount;
    /** The line of the question in its file. */
    line?: number;
    /** The chance that it makes, of a whole deal. */
    makes?: number;
    /** The 95 % interval of that chance; the chance twice if these are all layouts. */
    makes_interval?: [number, number];
    /** The mean number of tricks. */
    mean: number;
    /** The half-width of the 95 % interval of the mean. */
    mean_half_width?: number;
    /** The seed of the layouts. */
    seed?: number;
    /** The side whose tricks are counted: declarer's, or without a contract that of the seat that leads, or led, to the current trick. */
    side: Side;
    /** Each way to split a suit. */
    splits?: Record<string, SplitOdds[]>;
    /** The seat to play. */
    to_play: Seat;
  };
  leads: AnswerFrame & {
    /** The leads: the one that defeats it most often first. */
    cards: Lead[];
    /** The probability of 0, 1, … tricks. */
    chances: number[];
    /** The contract. */
    contract: Bid;
    /** The number of layouts with 0, 1, … tricks. */
    counts: LargeCount[];
    /** Number of all layouts. */
    drawn_of?: LargeCount;
    /** The 95 % intervals of the chances of at least 0, 1, … tricks. */
    intervals?: ([number, number])[];
    /** The number of layouts. */
    layouts: LargeCount;
    /** The line of the question in its file. */
    line?: number;
    /** The mean number of tricks. */
    mean: number;
    /** The half-width of the 95 % interval of the mean. */
    mean_half_width?: number;
    /** The seed of the layouts. */
    seed?: number;
    /** The side of the seat that leads, whose tricks are counted. */
    side: Side;
    /** The seat to play. */
    to_play: Seat;
  };
  compare: AnswerFrame & {
    /** The contracts. */
    contracts: ContractOdds[];
    /** Number of all layouts. */
    layouts: LargeCount;
    /** The line of the question in its file. */
    line?: number;
    /** The seed of the layouts. */
    seed: number;
    /** The side whose scores are counted. */
    side: Side;
  };
  single_dummy: AnswerFrame & {
    /** The cards that may be played. */
    cards?: CardLayouts[];
    /** The layouts in which the best line takes them. */
    layouts?: number;
    /** The line of the question in its file. */
    line?: number;
    /** The number of all layouts. */
    of: number;
    /** A plan that is sure in the maximum number of layouts, on request. */
    plan?: Plan | null;
    /** The numbers of tricks, up to the first that is sure in none. */
    targets?: SureTarget[];
    /** Number of tricks. */
    tricks?: number;
  };
  best_line: AnswerFrame & {
    /** An upper bound for any line; equal to `worth` if the search finished. */
    at_most: number;
    /** The card that begins it; null if an opponent is to play. */
    card: Card | null;
    /** All cards, the best first, on request. */
    cards: CardValue[];
    /** The weighted average of double-dummy values: a bound for any line. */
    double_dummy: number;
    /** Cards that are equal to it. */
    equals: Card[];
    /** The number of layouts. */
    layouts: number;
    /** The line, on request and if it is not too long. */
    line: LineSteps | null;
    /** The quantity that the line maximizes: `target`, `tricks` or `score`. */
    objective: string;
    /** Number of positions searched. */
    positions: number;
    /** The side that plays the line: that of the visible hands. */
    side: Side;
    /** The minimum of remaining tricks that the line takes, by layout. (It may take more if additional tricks have no value.) */
    tricks: number[];
    /** The weighted average of the line found: tricks, a share of targets made, or a score. */
    worth: number;
  };
  suit: AnswerFrame & {
    /** The chance of at least 0, 1, … tricks, each with its best line. */
    at_least: number[];
    /** The line with the best average, unless there are too many lines. */
    average: Average | null;
    /** The line of the question in its file. */
    line?: number;
    /** The best line for the requested number of tricks, or for each. */
    lines: SuitLine[];
    /** The best line at matchpoints, unless there are too many lines. */
    matchpoints: Average | null;
    /** North's cards, as in the question. */
    north: string;
    /** South's cards. */
    south: string;
  };
  layouts: AnswerFrame & {
    /** The hidden cards. */
    cards: HiddenCard[];
    /** The number of layouts. */
    layouts: LargeCount;
    /** The line of the question in its file. */
    line?: number;
    /** The drawn layouts, each a deal; all of them if there are no more than were to be drawn. */
    samples: string[];
  };
  deal: AnswerFrame & {
    /** The deals. */
    deals: Deal[];
    /** The line of the question in its file. */
    line?: number;
    /** What the script prints for each deal besides the cards. */
    reports?: string[];
    /** The averages and frequencies of the script. */
    statistics?: Statistic[];
    /** The number of deals tried: more than there are if some did not match all conditions. */
    tried: number;
    /** The type of each deal of a mix. */
    types?: string[];
  };
}
