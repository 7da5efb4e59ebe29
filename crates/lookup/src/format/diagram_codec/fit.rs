//! Where a finished node may be named again.

/// The cards left in each suit and hand, four bits each: those of suit 0, hand 0
/// lowest, then of its hand 1, and so on.
pub(super) type Left = u64;

/// A number of cards for each suit and hand, a byte each: those at even places
/// of [`Left`], then those at odd ones.
type Counts = [u8; 16];

/// By place in [`Left`]: one card.
const ONE: [Counts; 16] = {
    let mut one = [[0; 16]; 16];
    let mut place = 0;
    while place < 16 {
        one[place][place / 2 + 8 * (place % 2)] = 1;
        place += 1;
    }
    one
};

/// Which cards may be left where a subtree stands, so that every path in it is
/// one that some ending takes.
///
/// A subtree needs the cards that its paths use up, and where it has no child
/// for a hand, it needs this hand to have none left. So a path through subtrees
/// that fit never has more nodes than the partition has cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// How many must be left.
    fewest: Counts,
    /// The cards left where it was read.
    left: Left,
    /// All four bits where exactly these must be left.
    exact: Left,
}

/// What fits a node, as far as its children are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    fewest: Counts,
    exact: Left,
    /// The lowest bit of each hand in [`Left`] whose child is to come.
    open: Left,
    left: Left,
}

impl Needs {
    /// Those of a node that asks about `suit`, where these cards are left. Nothing if
    /// nobody has a card of the suit.
    #[inline]
    pub(super) fn new(suit: u8, left: Left) -> Option<Needs> {
        let hands = 0x1111 << (16 * suit);
        let holders = (left | left >> 1 | left >> 2 | left >> 3) & hands;
        (holders != 0).then_some(Needs {
            fewest: [0; 16],
            exact: (holders ^ hands) * 15,
            open: holders,
            left,
        })
    }

    /// The cards that are left for the child that comes next, or nothing if all are there.
    #[inline]
    pub(super) fn left_below(&self) -> Option<Left> {
        (self.open != 0).then(|| self.left - (self.open & self.open.wrapping_neg()))
    }

    /// Adds those of the child that comes next, and returns the place of its card in
    /// [`Left`].
    #[inline]
    pub(super) fn add(&mut self, child: &Fit) -> usize {
        let place = self.open.trailing_zeros() as usize / 4;
        self.open &= self.open - 1;
        self.exact |= child.exact;
        let one = &ONE[place % 16];
        // One instruction for each of these steps.
        let counts = self.fewest.iter_mut().zip(child.fewest).zip(one);
        for ((fewest, below), one) in counts {
            *fewest = below.wrapping_add(*one).max(*fewest);
        }
        place
    }

    /// What fits the node, whose children are all known.
    #[inline]
    pub(super) fn fit(&self) -> Fit {
        Fit {
            fewest: self.fewest,
            left: self.left,
            exact: self.exact,
        }
    }
}

impl Fit {
    /// That of a leaf, which may stand anywhere.
    pub(super) const ANYWHERE: Fit = Fit {
        fewest: [0; 16],
        left: 0,
        exact: 0,
    };

    /// Whether a subtree fits where these cards are left.
    #[inline]
    pub(super) fn admits(&self, left: Left) -> bool {
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const TOP: u64 = 0x8080_8080_8080_8080;
        let (even, odd) = self.fewest.split_at(8);
        let [even, odd] = [even, odd].map(|half| half.try_into().map_or(0, u64::from_le_bytes));
        // No byte borrows from another, and its top bit stays if it is enough.
        let enough = ((left & LOW | TOP) - even) & ((left >> 4 & LOW | TOP) - odd);
        (self.left ^ left) & self.exact == 0 && enough & TOP == TOP
    }
}
