# `ask` and its answers. Generated: see crates/page/tests/schema.rs.
from typing import Any, Literal, TypeAlias, TypedDict, overload

from typing_extensions import NotRequired

from . import AnyDatabase

# What every answer may have.
class AnswerFrame(TypedDict):
    board: NotRequired[int | None]
    file: NotRequired[str]
    notes: NotRequired[list[str]]
    pairs: NotRequired[list[str]]
    passed_out: NotRequired[bool]
    question: NotRequired[str | None]
    room: NotRequired[str]
    table: NotRequired[str]
    text: NotRequired[str]
    version: Literal[1]

# The adjudication of a contested claim.
class Adjudication(TypedDict):
    awarded: int
    claimed: int
    double_dummy: int
    inferior: Inferior | None
    readings: list[Reading]
    sure: int
    undecided: NotRequired[list[ReadingOf]]
    why: str
    worst: Worst

# An assumption that makes a claim sure.
class Assumption(TypedDict):
    condition: str
    layouts: int
    of: int
    share: float
    tricks: int

# The tricks of a line.
class Average(TypedDict):
    at_least: list[float]
    matchpoints: float | None
    mean: float

# A bid, such as `3NT`.
Bid: TypeAlias = str

# A board at all its tables.
class BoardResults(TypedDict):
    board: int | None
    dealer: Seat | None
    par: OnePar | None
    tables: list[TableLine]
    vulnerable: Vulnerability | None

# A card, such as `SA` or `HT`.
Card: TypeAlias = str

# A card, and the layouts in which a line that begins with it takes the tricks.
class CardLayouts(TypedDict):
    card: Card
    double_dummy: LargeCount | None
    layouts: int

# The odds of a card.
class CardOdds(TypedDict):
    card: Card
    chances: list[float]
    counts: list[LargeCount]
    intervals: NotRequired[list[list[float]]]
    layouts: LargeCount
    mean: float
    mean_half_width: NotRequired[float]

# A card and the tricks that are sure with it.
class CardSure(TypedDict):
    card: Card
    sure: int

# A card, and the value of the best line that begins with it.
class CardValue(TypedDict):
    at_most: float
    card: Card
    equals: list[Card]
    tricks: list[int]
    worth: float

# A contract, such as `4S` or `3NTX`.
Contract: TypeAlias = str

# A contract's results in layouts that were drawn, or in all of them.
class ContractOdds(TypedDict):
    chances: list[float]
    contract: Contract
    counts: list[LargeCount]
    imps: NotRequired[float]
    layouts: LargeCount
    makes: float
    makes_interval: list[float]
    matchpoints: NotRequired[float]
    mean: float
    score: float
    score_half_width: float

# Layouts such that every plan fails in at least one of them. One layout is enough where double dummy fails. Two are typical of a guess: the card that wins in one loses in the other.
class Core(TypedDict):
    layouts: list[list[Hand]]
    tricks: int

# A board on which a pair took fewer tricks than double dummy.
class CostlyBoard(TypedDict):
    board: int | None
    cost: float
    tricks: int

# A value of an expression.
CountedValue: TypeAlias = Literal["low"] | Literal["high"] | int

# A suit that the defenders may run at no trump.
class DangerousSuit(TypedDict):
    cards: int
    stops: int
    suit: Suit

# Four hands in PBN, from North.
Deal: TypeAlias = str

# The best line over all remaining layouts.
class EndingLine(TypedDict):
    best: list[Card]
    layouts: int
    needed: int
    played: Card | None
    sure: int
    tricks_left: int

# How often the contract makes if declarer's side leads a suit at its first turn to lead, with the hidden hands seen afterwards.
class FirstSuit(TypedDict):
    interval: list[float]
    makes: float
    suit: Suit

# A hand, such as `AKQ.J5.T98.432`.
Hand: TypeAlias = str

# A hidden card, with its chance in each hidden hand.
class HiddenCard(TypedDict):
    card: Card
    chances: dict[str, float]

# A card that costs a trick as the cards lie.
class Inferior(TypedDict):
    at: int
    card: Card
    right: list[Card]
    seat: Seat

# A count; above 2^53 a text of digits.
LargeCount: TypeAlias = int | str

# An opening lead.
class Lead(TypedDict):
    card: Card
    chances: list[float]
    counts: list[LargeCount]
    defeats: float
    defeats_interval: list[float]
    intervals: NotRequired[list[list[float]]]
    layouts: LargeCount
    mean: float
    mean_half_width: NotRequired[float]

# A line, such as `SA SK H2-HQ rest`.
Line: TypeAlias = str

# A line of play, as the [steps](Step) of a plan: the card to play, depending on the opponents' cards. [`Step::Done`] means that the goal is reached in each remaining layout by any card.
class LineSteps(TypedDict):
    root: int
    steps: list[PlanStep]

# The mistakes of a player or a pair.
class Losses(TypedDict):
    boards: int
    cards: int
    declaring: int
    defending: int
    mistakes: int
    name: str
    on_lead: int
    tricks: int

# Bounds on the chance that the best line makes a contract, against defenders who see all cards.
class Makes(TypedDict):
    at_least: float
    at_most: float
    at_most_interval: list[float]
    drawn: int
    sure_with: Assumption | None

# A number of tricks that a suit may take.
class MoreTricks(TypedDict):
    chance: float
    tricks: int

# A contract at par, as an object.
class OneContract(TypedDict):
    declarers: list[Seat]
    doubled: bool
    level: int
    over: int
    strain: Strain

# Par for one vulnerability and dealer.
class OnePar(TypedDict):
    contracts: list[OneContract]
    dealer: Seat
    score: int
    vulnerable: VulnerableSides

# By suit, the seats that may own each of the top cards that a set knows.
Owners: TypeAlias = dict[str, list[str]]

# A pair's evening.
class PairLine(TypedDict):
    boards: int
    cost_most: CostlyBoard | None
    declaring: int
    defending: int
    imps: float | None
    matchpoints: float | None
    names: str | None
    pair: str
    percent: float | None
    rank: int

# A plan that takes some number of tricks in every layout against every defence. It is a tree of [`Step`]s that shares equal branches. [`check_plan`] proves it without any search. [`check_plan`]: crate::check_plan
class Plan(TypedDict):
    among: NotRequired[list[list[Hand]]]
    root: int
    steps: list[PlanStep]
    tricks: int

# One step of a [`Plan`]; the numbers are indices in [`Plan::steps`].
PlanStep: TypeAlias = dict[str, Any]

# The pairs of a field, the best first.
class Ranking(TypedDict):
    pairs: list[PairLine]
    side: str | None

# Another reading of the law, and its award.
class Reading(TypedDict):
    awarded: int
    reading: ReadingOf
    why: str
    worst: Worst

# A reading of the law.
ReadingOf: TypeAlias = Literal["trumps known"] | Literal["any order"]

# The declarer's view of a board.
class ReviewedContract(TypedDict):
    after_last_card: int
    contract: Contract
    declarer: Seat
    double_dummy: int
    result: int | None

# A seat.
Seat: TypeAlias = Literal["N", "E", "S", "W"]

# Cards that another hand may play, and the step after any of them.
class SeenHands(TypedDict):
    cards: list[str]
    then: int

# The boards and the rankings.
class SessionLists(TypedDict):
    boards: list[BoardResults]
    comparing: str
    rankings: list[Ranking]
    records: list[list[int | int | None] | None]

# A side.
Side: TypeAlias = Literal["NS", "EW"]

# A card and its tricks.
class SolvedCard(TypedDict):
    card: Card
    equals: list[Card]
    tricks: int

# The layouts in which the suit divides in one way.
class Split(TypedDict):
    chance: float
    layouts: int
    lengths: list[int]
    wins: int
    with_east: list[str]

# The odds of a way to split a suit.
class SplitOdds(TypedDict):
    chances: list[float]
    counts: list[LargeCount]
    layouts: LargeCount
    lengths: list[int]
    mean: float

# An average, or numbers of deals by the values of one or two expressions.
class Statistic(TypedDict):
    average: NotRequired[float]
    counts: NotRequired[list[ValueCount]]
    deals: int
    error: NotRequired[float]
    label: str

# A played card.
class Step(TypedDict):
    card: Card
    gives_away: int
    right: NotRequired[list[Card]]
    seat: Seat
    trick: int
    tricks: int
    winner: NotRequired[Seat]

# A strain.
Strain: TypeAlias = Literal["NT", "S", "H", "D", "C"]

# A suit.
Suit: TypeAlias = Literal["S", "H", "D", "C"]

# A continuation, and when it is right.
class SuitBranch(TypedDict):
    steps: list[SuitStep]
    when: When

# The best line for a number of tricks.
class SuitLine(TypedDict):
    chance: float
    plan: list[str]
    splits: list[Split]
    steps: list[SuitStep]
    tricks: int

# The tricks that a suit of declarer's two hands takes on its own.
class SuitSource(TypedDict):
    hands: dict[str, str]
    more: list[MoreTricks]
    plan: list[str]
    suit: Suit
    sure: int
    top: int

# A trick of a plan: the lead, the card of the third hand, and the continuations. The steps printed after it apply for any play of the opponents.
SuitStep = TypedDict("SuitStep", {"from": Seat, "lead": str, "then": NotRequired[list[SuitBranch]], "third": list[SuitThird]})

# A card of the third hand.
class SuitThird(TypedDict):
    after: list[str]
    card: str | None

# The mistakes of all boards.
class SummaryLists(TypedDict):
    boards: int
    pairs: list[Losses]
    players: list[Losses]

# The layouts in which numbers of tricks are sure against best defence.
class SureTarget(TypedDict):
    cards: list[CardLayouts]
    layouts: int
    tricks: int

# A board at a table.
class TableLine(TypedDict):
    contract: Contract | None
    cost: float | None
    double_dummy: int | None
    gained: int | None
    imps: float | None
    lead: Card | None
    matchpoints: list[float] | None
    over_par: int | None
    pairs: list[str | None]
    passed_out: bool
    percent: list[float | None]
    result: int | None
    score: int | None
    table: str | None

# What a teacher says before the play.
class Teaching(TypedDict):
    danger: list[DangerousSuit]
    entries: dict[str, Hand]
    first: list[FirstSuit]
    sources: list[SuitSource]

# A value, or a pair of values, and how often it occurred.
class ValueCount(TypedDict):
    deals: int
    values: list[CountedValue]

# The words of a verdict, in descriptions of the interface.
Verdict: TypeAlias = Literal["sure"] | Literal["not sure"] | Literal["unknown"]

# The vulnerable sides.
Vulnerability: TypeAlias = str

# The names of vulnerable sides.
VulnerableSides: TypeAlias = Literal["none", "NS", "EW", "both"]

# The shortest description of a trick that distinguishes its continuation.
When: TypeAlias = dict[str, Any]

# A play to the end, and its tricks.
class Worst(TypedDict):
    play: list[Card]
    tricks: int

class AdjudicateAnswer(AnswerFrame):
    awarded: NotRequired[int]
    claimed: NotRequired[int]
    double_dummy: NotRequired[int]
    inferior: NotRequired[Inferior | None]
    line: NotRequired[Line]
    readings: NotRequired[list[Reading]]
    sure: NotRequired[int]
    undecided: NotRequired[list[ReadingOf]]
    unmade: NotRequired[str]
    why: NotRequired[str]
    worst: NotRequired[Worst]

class AnalyseAnswer(AnswerFrame):
    cards: NotRequired[list[Step]]
    contract: NotRequired[ReviewedContract]
    leader: NotRequired[Seat]
    line: NotRequired[int]
    summary: NotRequired[SummaryLists]
    tricks: NotRequired[dict[str, dict[str, int]] | int]
    tricks_left: NotRequired[int]

class BestLineAnswer(AnswerFrame):
    at_most: float
    card: Card | None
    cards: list[CardValue]
    double_dummy: float
    equals: list[Card]
    layouts: int
    line: LineSteps | None
    objective: str
    positions: int
    side: Side
    tricks: list[int]
    worth: float

class ClaimAnswer(AnswerFrame):
    assume: NotRequired[list[Assumption]]
    assume_open: NotRequired[bool]
    bounds: NotRequired[list[int]]
    cards: NotRequired[list[CardSure]]
    claimed: NotRequired[int | None]
    claimer: NotRequired[Seat]
    core: NotRequired[Core]
    layouts: NotRequired[int]
    line: NotRequired[int]
    plan: NotRequired[Plan]
    ruling: NotRequired[Adjudication | None]
    sure: NotRequired[int | None]
    tricks_left: NotRequired[int]
    verdict: NotRequired[Verdict]
    why: NotRequired[list[str]]

class CompareAnswer(AnswerFrame):
    contracts: list[ContractOdds]
    layouts: LargeCount
    line: NotRequired[int]
    seed: int
    side: Side

class DealAnswer(AnswerFrame):
    deals: list[Deal]
    line: NotRequired[int]
    reports: NotRequired[list[str]]
    statistics: NotRequired[list[Statistic]]
    tried: int
    types: NotRequired[list[str]]

class LayoutsAnswer(AnswerFrame):
    cards: list[HiddenCard]
    layouts: LargeCount
    line: NotRequired[int]
    samples: list[str]

class LeadsAnswer(AnswerFrame):
    cards: list[Lead]
    chances: list[float]
    contract: Bid
    counts: list[LargeCount]
    drawn_of: NotRequired[LargeCount]
    intervals: NotRequired[list[list[float]]]
    layouts: LargeCount
    line: NotRequired[int]
    mean: float
    mean_half_width: NotRequired[float]
    seed: NotRequired[int]
    side: Side
    to_play: Seat

class LessonAnswer(AnswerFrame):
    contract: Contract
    double_dummy: int
    ending: EndingLine | None
    lead: Card | None
    line: NotRequired[int]
    makes: Makes
    matter: dict[str, Hand]
    mistakes: list[Step]
    needed: int
    par: bool
    sure: list[int]
    teaching: Teaching

class LineAnswer(AnswerFrame):
    line: Line
    play: list[Card]
    tricks: int
    unmade: NotRequired[str]

class MatterAnswer(AnswerFrame):
    cards: NotRequired[list[Card]]
    deals: NotRequired[LargeCount]
    leader: NotRequired[Seat]
    line: NotRequired[int]
    of: NotRequired[LargeCount]
    share: NotRequired[float | None]
    tricks: NotRequired[int]

class OddsAnswer(AnswerFrame):
    cards: NotRequired[list[CardOdds]]
    chances: list[float]
    contract: NotRequired[Contract]
    counts: list[LargeCount]
    drawn_of: NotRequired[LargeCount]
    intervals: NotRequired[list[list[float]]]
    layouts: LargeCount
    line: NotRequired[int]
    makes: NotRequired[float]
    makes_interval: NotRequired[list[float]]
    mean: float
    mean_half_width: NotRequired[float]
    seed: NotRequired[int]
    side: Side
    splits: NotRequired[dict[str, list[SplitOdds]]]
    to_play: Seat

class ParAnswer(AnswerFrame):
    line: NotRequired[int]
    par: list[OnePar]

class PositionAnswer(AnswerFrame):
    hands: NotRequired[list[Hand]]
    last_trick: NotRequired[list[list[Seat | Card]]]
    leader: NotRequired[Seat]
    legal: NotRequired[list[Card]]
    line: NotRequired[int]
    on_table: NotRequired[list[list[Seat | Card]]]
    strain: NotRequired[Strain]
    to_play: NotRequired[Seat]
    tricks_left: NotRequired[int]
    won: NotRequired[list[int]]

class QueryAnswer(AnswerFrame):
    bounds: NotRequired[list[int]]
    contract: NotRequired[Contract]
    deals: NotRequired[LargeCount]
    declarer_tricks: NotRequired[int]
    leader: NotRequired[Seat]
    line: NotRequired[int]
    makes: NotRequired[bool]
    set: NotRequired[Owners]
    tricks: NotRequired[int]
    tricks_left: NotRequired[int]

class RefusalAnswer(AnswerFrame):
    because: NotRequired[str]
    column: int | None
    error: str
    line: NotRequired[int]
    option: NotRequired[str]

class ResultsAnswer(AnswerFrame):
    line: NotRequired[int]
    session: SessionLists
    unread: NotRequired[list[str]]

class SingleDummyAnswer(AnswerFrame):
    cards: NotRequired[list[CardLayouts]]
    layouts: NotRequired[int]
    line: NotRequired[int]
    of: int
    plan: NotRequired[Plan | None]
    targets: NotRequired[list[SureTarget]]
    tricks: NotRequired[int]

class SolveAnswer(AnswerFrame):
    cards: NotRequired[list[SolvedCard]]
    contract: NotRequired[Contract]
    deals: NotRequired[LargeCount]
    declarer_tricks: NotRequired[int]
    leader: NotRequired[Seat]
    line: NotRequired[int]
    makes: NotRequired[bool]
    play: NotRequired[list[Card]]
    to_play: NotRequired[Seat]
    tricks: NotRequired[dict[str, dict[str, int]] | int]
    tricks_left: NotRequired[int]

class SuitAnswer(AnswerFrame):
    at_least: list[float]
    average: Average | None
    line: NotRequired[int]
    lines: list[SuitLine]
    matchpoints: Average | None
    north: str
    south: str

class TableAnswer(AnswerFrame):
    line: NotRequired[int]
    tricks: dict[str, dict[str, int]]

@overload
def ask(ask: Literal["adjudicate"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> AdjudicateAnswer: ...

@overload
def ask(ask: Literal["analyse"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> AnalyseAnswer: ...

@overload
def ask(ask: Literal["best_line"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> BestLineAnswer: ...

@overload
def ask(ask: Literal["claim"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> ClaimAnswer: ...

@overload
def ask(ask: Literal["compare"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> CompareAnswer: ...

@overload
def ask(ask: Literal["deal"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> DealAnswer: ...

@overload
def ask(ask: Literal["layouts"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> LayoutsAnswer: ...

@overload
def ask(ask: Literal["leads"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> LeadsAnswer: ...

@overload
def ask(ask: Literal["lesson"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> LessonAnswer: ...

@overload
def ask(ask: Literal["line"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> LineAnswer: ...

@overload
def ask(ask: Literal["matter"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> MatterAnswer: ...

@overload
def ask(ask: Literal["odds"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> OddsAnswer: ...

@overload
def ask(ask: Literal["par"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> ParAnswer: ...

@overload
def ask(ask: Literal["position"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> PositionAnswer: ...

@overload
def ask(ask: Literal["query"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> QueryAnswer: ...

@overload
def ask(ask: Literal["results"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> ResultsAnswer: ...

@overload
def ask(ask: Literal["single_dummy"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> SingleDummyAnswer: ...

@overload
def ask(ask: Literal["solve"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> SolveAnswer: ...

@overload
def ask(ask: Literal["suit"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> SuitAnswer: ...

@overload
def ask(ask: Literal["table"], question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> TableAnswer: ...

@overload
def ask(ask: str, question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any) -> Any: ...
