# The answers of `ask`. Generated: see tests/it/schema.rs.
from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired

# The adjudication of a contested claim.
Adjudication = TypedDict(
    "Adjudication",
    {
        "awarded": int,
        "claimed": int,
        "double_dummy": int,
        "inferior": Inferior | None,
        "readings": list[Reading],
        "sure": int,
        "undecided": NotRequired[list[ReadingOf]],
        "why": str,
        "worst": Worst,
    },
)

# An assumption that makes a claim sure.
Assumption = TypedDict(
    "Assumption",
    {
        "condition": str,
        "layouts": int,
        "of": int,
        "share": float,
        "tricks": int,
    },
)

# The tricks of a line.
Average = TypedDict(
    "Average",
    {
        "at_least": list[float],
        "matchpoints": float | None,
        "mean": float,
    },
)

# A bid, as `3NT`.
Bid: TypeAlias = str

# A card, as `SA` or `HT`.
Card: TypeAlias = str

# A card, and the layouts in which a line that begins with it takes the tricks.
CardLayouts = TypedDict(
    "CardLayouts",
    {
        "card": Card,
        "double_dummy": LargeCount | None,
        "layouts": int,
    },
)

# The odds of a card.
CardOdds = TypedDict(
    "CardOdds",
    {
        "card": Card,
        "chances": list[float],
        "counts": list[LargeCount],
        "layouts": LargeCount,
        "mean": float,
    },
)

# A card and the tricks that are sure with it.
CardSure = TypedDict(
    "CardSure",
    {
        "card": Card,
        "sure": int,
    },
)

# A card, and the value of the best line that begins with it.
CardValue = TypedDict(
    "CardValue",
    {
        "at_most": float,
        "card": Card,
        "equals": list[Card],
        "tricks": list[int],
        "worth": float,
    },
)

# A contract, as `4S` or `3NTX`.
Contract: TypeAlias = str

# A contract's results in layouts that were drawn.
ContractOdds = TypedDict(
    "ContractOdds",
    {
        "chances": list[float],
        "contract": Contract,
        "counts": list[LargeCount],
        "imps": float,
        "layouts": LargeCount,
        "makes": float,
        "makes_interval": list[float],
        "matchpoints": float,
        "mean": float,
        "score": float,
        "score_half_width": float,
    },
)

# Layouts such that every plan fails in at least one of them. One layout is enough where double dummy fails. Two are typical of a guess: the card that wins in one loses in the other.
Core = TypedDict(
    "Core",
    {
        "layouts": list[list[Hand]],
        "tricks": int,
    },
)

# Four hands in PBN, from North.
Deal: TypeAlias = str

# The best line over all remaining layouts.
EndingLine = TypedDict(
    "EndingLine",
    {
        "best": list[Card],
        "layouts": int,
        "needed": int,
        "played": Card | None,
        "sure": int,
        "tricks_left": int,
    },
)

# A hand, as `AKQ.J5.T98.432`.
Hand: TypeAlias = str

# A hidden card, with its chance in each hidden hand.
HiddenCard = TypedDict(
    "HiddenCard",
    {
        "card": Card,
        "chances": dict[str, float],
    },
)

# A card that costs a trick as the cards lie.
Inferior = TypedDict(
    "Inferior",
    {
        "at": int,
        "card": Card,
        "right": list[Card],
        "seat": Seat,
    },
)

# A count; above 2^53 a text of digits.
LargeCount: TypeAlias = int | str

# An opening lead.
Lead = TypedDict(
    "Lead",
    {
        "card": Card,
        "chances": list[float],
        "counts": list[LargeCount],
        "defeats": float,
        "defeats_interval": list[float],
        "layouts": LargeCount,
        "mean": float,
    },
)

# A line, as `SA SK H2-HQ rest`.
Line: TypeAlias = str

# A line of play, as the [steps](Step) of a plan: the card to play, depending on the opponents' cards. [`Step::Done`] means that the goal is reached in each remaining layout by any card.
LineSteps = TypedDict(
    "LineSteps",
    {
        "root": int,
        "steps": list[PlanStep],
    },
)

# The mistakes of a player or a pair.
Losses = TypedDict(
    "Losses",
    {
        "boards": int,
        "cards": int,
        "declaring": int,
        "defending": int,
        "mistakes": int,
        "name": str,
        "on_lead": int,
        "tricks": int,
    },
)

# Bounds on the chance that the best line makes a contract, against defenders who see all cards.
Makes = TypedDict(
    "Makes",
    {
        "at_least": float,
        "at_most": float,
        "at_most_interval": list[float],
        "drawn": int,
        "sure_with": Assumption | None,
    },
)

# A contract at par, as an object.
OneContract = TypedDict(
    "OneContract",
    {
        "declarers": list[Seat],
        "doubled": bool,
        "level": int,
        "over": int,
        "strain": Strain,
    },
)

# Par for one vulnerability and dealer.
OnePar = TypedDict(
    "OnePar",
    {
        "contracts": list[OneContract],
        "dealer": Seat,
        "score": int,
        "vulnerable": VulnerableSides,
    },
)

# By suit, the seats that may own each of the top cards that a set knows.
Owners: TypeAlias = dict[str, list[str]]

# A plan that takes some number of tricks in every layout against every defence. It is a tree of [`Step`]s that shares equal branches. [`check_plan`] proves it without any search. [`check_plan`]: crate::check_plan
Plan = TypedDict(
    "Plan",
    {
        "among": NotRequired[list[list[Hand]]],
        "root": int,
        "steps": list[PlanStep],
        "tricks": int,
    },
)

# One step of a [`Plan`]; the numbers are indices in [`Plan::steps`].
PlanStep: TypeAlias = dict[str, Any]

# Another reading of the law, and its award.
Reading = TypedDict(
    "Reading",
    {
        "awarded": int,
        "reading": ReadingOf,
        "why": str,
        "worst": Worst,
    },
)

# A reading of the law.
ReadingOf: TypeAlias = Literal["trumps known"] | Literal["any order"]

# The declarer's view of a board.
ReviewedContract = TypedDict(
    "ReviewedContract",
    {
        "after_last_card": int,
        "contract": Contract,
        "declarer": Seat,
        "double_dummy": int,
        "result": int | None,
    },
)

# A seat.
Seat: TypeAlias = Literal["N", "E", "S", "W"]

SeenHands = TypedDict(
    "SeenHands",
    {
        "cards": list[str],
        "then": int,
    },
)

# A side.
Side: TypeAlias = Literal["NS", "EW"]

# A card and its tricks.
SolvedCard = TypedDict(
    "SolvedCard",
    {
        "card": Card,
        "equals": list[Card],
        "tricks": int,
    },
)

# The layouts in which the suit divides in one way.
Split = TypedDict(
    "Split",
    {
        "chance": float,
        "layouts": int,
        "lengths": list[int],
        "wins": int,
        "with_east": list[str],
    },
)

# The odds of a way to split a suit.
SplitOdds = TypedDict(
    "SplitOdds",
    {
        "chances": list[float],
        "counts": list[LargeCount],
        "layouts": LargeCount,
        "lengths": list[int],
        "mean": float,
    },
)

# A played card.
Step = TypedDict(
    "Step",
    {
        "card": Card,
        "gives_away": int,
        "right": NotRequired[list[Card]],
        "seat": Seat,
        "trick": int,
        "tricks": int,
        "winner": NotRequired[Seat],
    },
)

# A strain.
Strain: TypeAlias = Literal["NT", "S", "H", "D", "C"]

# A continuation, and when it is right.
SuitBranch = TypedDict(
    "SuitBranch",
    {
        "steps": list[SuitStep],
        "when": When,
    },
)

# The best line for a number of tricks.
SuitLine = TypedDict(
    "SuitLine",
    {
        "chance": float,
        "plan": list[str],
        "splits": list[Split],
        "steps": list[SuitStep],
        "tricks": int,
    },
)

# A trick of a plan: the lead, the card of the third hand, and the continuations. The steps printed after it apply for any play of the opponents.
SuitStep = TypedDict(
    "SuitStep",
    {
        "from": Seat,
        "lead": str,
        "then": NotRequired[list[SuitBranch]],
        "third": list[SuitThird],
    },
)

# A card of the third hand.
SuitThird = TypedDict(
    "SuitThird",
    {
        "after": list[str],
        "card": str | None,
    },
)

# The mistakes of all boards.
SummaryLists = TypedDict(
    "SummaryLists",
    {
        "boards": int,
        "pairs": list[Losses],
        "players": list[Losses],
    },
)

# The layouts in which numbers of tricks are sure against best defence.
SureTarget = TypedDict(
    "SureTarget",
    {
        "cards": list[CardLayouts],
        "layouts": int,
        "tricks": int,
    },
)

# The words of a verdict, in descriptions of the interface.
Verdict: TypeAlias = Literal["sure"] | Literal["not sure"] | Literal["unknown"]

# The names of vulnerable sides.
VulnerableSides: TypeAlias = Literal["none", "NS", "EW", "both"]

# The shortest description of a trick that distinguishes its continuation.
When: TypeAlias = dict[str, Any]

# A play to the end, and its tricks.
Worst = TypedDict(
    "Worst",
    {
        "play": list[Card],
        "tricks": int,
    },
)

AdjudicateAnswer = TypedDict(
    "AdjudicateAnswer",
    {
        "awarded": NotRequired[int],
        "board": NotRequired[int | None],
        "claimed": NotRequired[int],
        "double_dummy": NotRequired[int],
        "file": NotRequired[str],
        "inferior": NotRequired[Inferior | None],
        "line": NotRequired[Line],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "readings": NotRequired[list[Reading]],
        "sure": NotRequired[int],
        "text": NotRequired[str],
        "undecided": NotRequired[list[ReadingOf]],
        "version": Literal[1],
        "why": NotRequired[str],
        "worst": NotRequired[Worst],
    },
)

AnalyseAnswer = TypedDict(
    "AnalyseAnswer",
    {
        "board": NotRequired[int | None],
        "cards": NotRequired[list[Step]],
        "contract": NotRequired[ReviewedContract],
        "file": NotRequired[str],
        "leader": NotRequired[Seat],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "summary": NotRequired[SummaryLists],
        "text": NotRequired[str],
        "tricks": NotRequired[dict[str, dict[str, int]] | int],
        "tricks_left": NotRequired[int],
        "version": Literal[1],
    },
)

BestLineAnswer = TypedDict(
    "BestLineAnswer",
    {
        "at_most": float,
        "board": NotRequired[int | None],
        "card": Card | None,
        "cards": list[CardValue],
        "double_dummy": float,
        "equals": list[Card],
        "file": NotRequired[str],
        "layouts": int,
        "line": LineSteps | None,
        "notes": NotRequired[list[str]],
        "objective": str,
        "passed_out": NotRequired[bool],
        "positions": int,
        "question": NotRequired[str | None],
        "side": Side,
        "text": NotRequired[str],
        "tricks": list[int],
        "version": Literal[1],
        "worth": float,
    },
)

ClaimAnswer = TypedDict(
    "ClaimAnswer",
    {
        "assume": NotRequired[list[Assumption]],
        "assume_open": NotRequired[bool],
        "board": NotRequired[int | None],
        "cards": NotRequired[list[CardSure]],
        "claimed": NotRequired[int | None],
        "claimer": NotRequired[Seat],
        "core": NotRequired[Core],
        "file": NotRequired[str],
        "layouts": NotRequired[int],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "plan": NotRequired[Plan],
        "question": NotRequired[str | None],
        "ruling": NotRequired[Adjudication | None],
        "sure": NotRequired[int | None],
        "text": NotRequired[str],
        "tricks_left": NotRequired[int],
        "verdict": NotRequired[Verdict],
        "version": Literal[1],
        "why": NotRequired[list[str]],
    },
)

CompareAnswer = TypedDict(
    "CompareAnswer",
    {
        "board": NotRequired[int | None],
        "contracts": list[ContractOdds],
        "file": NotRequired[str],
        "layouts": LargeCount,
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "seed": int,
        "side": Side,
        "text": NotRequired[str],
        "version": Literal[1],
    },
)

DealAnswer = TypedDict(
    "DealAnswer",
    {
        "board": NotRequired[int | None],
        "deals": list[Deal],
        "file": NotRequired[str],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "text": NotRequired[str],
        "tried": int,
        "version": Literal[1],
    },
)

LayoutsAnswer = TypedDict(
    "LayoutsAnswer",
    {
        "board": NotRequired[int | None],
        "cards": list[HiddenCard],
        "file": NotRequired[str],
        "layouts": LargeCount,
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "samples": list[str],
        "text": NotRequired[str],
        "version": Literal[1],
    },
)

LeadsAnswer = TypedDict(
    "LeadsAnswer",
    {
        "board": NotRequired[int | None],
        "cards": list[Lead],
        "chances": list[float],
        "contract": Bid,
        "counts": list[LargeCount],
        "drawn_of": LargeCount,
        "file": NotRequired[str],
        "intervals": list[list[float]],
        "layouts": LargeCount,
        "line": NotRequired[int],
        "mean": float,
        "mean_half_width": float,
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "seed": int,
        "side": Side,
        "text": NotRequired[str],
        "to_play": Seat,
        "version": Literal[1],
    },
)

LessonAnswer = TypedDict(
    "LessonAnswer",
    {
        "board": NotRequired[int | None],
        "contract": Contract,
        "double_dummy": int,
        "ending": EndingLine | None,
        "file": NotRequired[str],
        "lead": Card | None,
        "line": NotRequired[int],
        "makes": Makes,
        "matter": dict[str, Hand],
        "mistakes": list[Step],
        "needed": int,
        "notes": NotRequired[list[str]],
        "par": bool,
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "sure": list[int],
        "text": NotRequired[str],
        "version": Literal[1],
    },
)

LineAnswer = TypedDict(
    "LineAnswer",
    {
        "board": NotRequired[int | None],
        "file": NotRequired[str],
        "line": Line,
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "play": list[Card],
        "question": NotRequired[str | None],
        "text": NotRequired[str],
        "tricks": int,
        "version": Literal[1],
    },
)

MatterAnswer = TypedDict(
    "MatterAnswer",
    {
        "board": NotRequired[int | None],
        "cards": NotRequired[list[Card]],
        "file": NotRequired[str],
        "leader": NotRequired[Seat],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "share": NotRequired[float | None],
        "text": NotRequired[str],
        "tricks": NotRequired[int],
        "version": Literal[1],
    },
)

OddsAnswer = TypedDict(
    "OddsAnswer",
    {
        "board": NotRequired[int | None],
        "cards": NotRequired[list[CardOdds]],
        "chances": list[float],
        "counts": list[LargeCount],
        "drawn_of": NotRequired[LargeCount],
        "file": NotRequired[str],
        "intervals": NotRequired[list[list[float]]],
        "layouts": LargeCount,
        "line": NotRequired[int],
        "mean": float,
        "mean_half_width": NotRequired[float],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "seed": NotRequired[int],
        "side": Side,
        "splits": NotRequired[dict[str, list[SplitOdds]]],
        "text": NotRequired[str],
        "to_play": Seat,
        "version": Literal[1],
    },
)

ParAnswer = TypedDict(
    "ParAnswer",
    {
        "board": NotRequired[int | None],
        "file": NotRequired[str],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "par": list[OnePar],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "text": NotRequired[str],
        "version": Literal[1],
    },
)

QueryAnswer = TypedDict(
    "QueryAnswer",
    {
        "board": NotRequired[int | None],
        "bounds": NotRequired[list[int]],
        "deals": NotRequired[LargeCount],
        "file": NotRequired[str],
        "leader": NotRequired[Seat],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "set": NotRequired[Owners],
        "text": NotRequired[str],
        "tricks": NotRequired[int],
        "tricks_left": NotRequired[int],
        "version": Literal[1],
    },
)

RefusalAnswer = TypedDict(
    "RefusalAnswer",
    {
        "because": NotRequired[str],
        "board": NotRequired[int | None],
        "column": int | None,
        "error": str,
        "file": NotRequired[str],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "text": NotRequired[str],
        "version": Literal[1],
    },
)

SingleDummyAnswer = TypedDict(
    "SingleDummyAnswer",
    {
        "board": NotRequired[int | None],
        "cards": NotRequired[list[CardLayouts]],
        "file": NotRequired[str],
        "layouts": NotRequired[int],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "of": int,
        "passed_out": NotRequired[bool],
        "plan": NotRequired[Plan | None],
        "question": NotRequired[str | None],
        "targets": NotRequired[list[SureTarget]],
        "text": NotRequired[str],
        "tricks": NotRequired[int],
        "version": Literal[1],
    },
)

SolveAnswer = TypedDict(
    "SolveAnswer",
    {
        "board": NotRequired[int | None],
        "cards": NotRequired[list[SolvedCard]],
        "deals": NotRequired[LargeCount],
        "file": NotRequired[str],
        "leader": NotRequired[Seat],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "text": NotRequired[str],
        "to_play": NotRequired[Seat],
        "tricks": NotRequired[dict[str, dict[str, int]] | int],
        "tricks_left": NotRequired[int],
        "version": Literal[1],
    },
)

SuitAnswer = TypedDict(
    "SuitAnswer",
    {
        "at_least": list[float],
        "average": Average | None,
        "board": NotRequired[int | None],
        "file": NotRequired[str],
        "line": NotRequired[int],
        "lines": list[SuitLine],
        "matchpoints": Average | None,
        "north": str,
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "south": str,
        "text": NotRequired[str],
        "version": Literal[1],
    },
)

TableAnswer = TypedDict(
    "TableAnswer",
    {
        "board": NotRequired[int | None],
        "file": NotRequired[str],
        "line": NotRequired[int],
        "notes": NotRequired[list[str]],
        "passed_out": NotRequired[bool],
        "question": NotRequired[str | None],
        "text": NotRequired[str],
        "tricks": dict[str, dict[str, int]],
        "version": Literal[1],
    },
)
