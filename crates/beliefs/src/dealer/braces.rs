//! Shapes in braces, as `shape{north, 5M(332) + 4+c3+d(2+2+) - xxx0}`.

use super::expression::Operator;
use super::parse::operator;
use super::shapes::{HandShape, ShapeSet};
use crate::condition::orders;

/// A set of lengths: a bit for each.
type LengthMask = u16;

const ANY_LENGTH: LengthMask = (1 << 14) - 1;

/// What was expected at a byte of the text.
type ShapeFault = (usize, &'static str);

/// Reads the shapes that a brace contains behind its hand.
pub(super) fn shapes(text: &str) -> Result<ShapeSet, ShapeFault> {
    let mut reader = ShapeReader { text, at: 0 };
    let mut all = ShapeSet::EMPTY;
    let mut less = false;
    loop {
        reader.blanks();
        let start = reader.at;
        let found = reader.pattern()?;
        if found.is_empty() {
            return Err((start, "expected a shape of 13 cards"));
        }
        all.change(&found, less);
        reader.blanks();
        less = match reader.next() {
            None => return Ok(all),
            Some('+') => false,
            Some('-') => true,
            Some(_) => {
                reader.at -= 1;
                return reader.expected("expected +, - or the end of the shapes");
            }
        };
    }
}

/// The lengths of one suit, or of one of the two minors or majors.
#[derive(Clone, Copy)]
struct ShapePart {
    lengths: LengthMask,
    /// The suits that it may be about; none if its order says it.
    suits: &'static [usize],
}

struct ShapeReader<'a> {
    text: &'a str,
    at: usize,
}

impl ShapeReader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.text[self.at..].starts_with(mark);
        self.at += if found { mark.len() } else { 0 };
        found
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, ShapeFault> {
        Err((self.at, what))
    }

    /// The lengths of all four suits, those in parentheses in any order, and conditions on them.
    fn pattern(&mut self) -> Result<ShapeSet, ShapeFault> {
        let (mut parts, mut group) = (Vec::new(), Vec::new());
        while parts.len() + group.len() < 4 {
            if self.eat("(") {
                while !self.eat(")") {
                    let lengths = self.lengths()?;
                    group.push(lengths);
                }
                break;
            }
            let lengths = self.lengths()?;
            let suits = self.suits().unwrap_or_default();
            parts.push(ShapePart { lengths, suits });
        }
        if parts.len() + group.len() != 4 {
            return self.expected("expected the lengths of four suits");
        }
        let patterns = patterns(&parts, &group);
        let fits = |shape: &HandShape| {
            patterns.iter().any(|pattern| {
                let mut pairs = pattern.iter().zip(shape);
                pairs.all(|(lengths, &length)| lengths >> length & 1 == 1)
            })
        };
        let mut set = ShapeSet::of(fits);
        self.blanks();
        if self.eat(":") {
            let allowed = self.conditions()?;
            set = ShapeSet::of(|shape| {
                set.has(*shape)
                    && allowed
                        .iter()
                        .any(|all| all.iter().all(|one| one.holds(shape)))
            });
        }
        Ok(set)
    }

    /// The lengths of a suit: `x`, `4`, `4+`, `4-` or `[024-6]`.
    fn lengths(&mut self) -> Result<LengthMask, ShapeFault> {
        if self.eat("x") || self.eat("X") {
            return Ok(ANY_LENGTH);
        }
        if !self.eat("[") {
            let digit = self.digit()?;
            return Ok(if self.eat("+") {
                ANY_LENGTH & (u16::MAX << digit)
            } else if self.eat("-") {
                (2 << digit) - 1
            } else {
                1 << digit
            });
        }
        let mut lengths = 0;
        while !self.eat("]") {
            let least = self.digit()?;
            let most = if self.eat("-") { self.digit()? } else { least };
            (least..=most).for_each(|length| lengths |= 1 << length);
        }
        Ok(lengths)
    }

    /// A suit, or the majors or minors, by its letter.
    fn suits(&mut self) -> Option<&'static [usize]> {
        let suits: &[usize] = match self.peek()? {
            's' => &[0],
            'h' => &[1],
            'd' => &[2],
            'c' => &[3],
            'M' => &[0, 1],
            'm' => &[2, 3],
            _ => return None,
        };
        self.at += 1;
        Some(suits)
    }

    fn digit(&mut self) -> Result<u32, ShapeFault> {
        match self.peek().and_then(|c| c.to_digit(10)) {
            Some(digit) => {
                self.at += 1;
                Ok(digit)
            }
            None => self.expected("expected the length of a suit, as x, 4, 4+, 4- or [24]"),
        }
    }

    /// `h>s,d>=c or h+s==10`: alternatives, in each conditions that all hold.
    fn conditions(&mut self) -> Result<Vec<Vec<LengthRelation>>, ShapeFault> {
        let mut any = vec![Vec::new()];
        loop {
            let compared = self.compared()?;
            any.last_mut().expect("there is one").push(compared);
            let before = self.at;
            self.blanks();
            if self.eat("or") {
                any.push(Vec::new());
            } else if !self.eat(",") {
                self.at = before;
                return Ok(any);
            }
        }
    }

    /// `h+s==10`, or `M>c` for either major.
    fn compared(&mut self) -> Result<LengthRelation, ShapeFault> {
        let mut forms = vec![[0; 5]];
        self.sum(&mut forms, 1)?;
        let relations = ["<=", ">=", "==", "!=", "<", ">"];
        let mark = relations.into_iter().find(|mark| self.eat(mark));
        let Some((_, Some(relation))) = mark.and_then(operator) else {
            return self.expected("expected a comparison of lengths, as h>s or h+s==10");
        };
        self.sum(&mut forms, -1)?;
        Ok(LengthRelation { forms, relation })
    }

    /// Adds lengths and numbers, with + and - but no blanks between them, to all forms.
    fn sum(&mut self, forms: &mut Vec<LengthSum>, side: i64) -> Result<(), ShapeFault> {
        self.blanks();
        let mut sign = side;
        loop {
            if let Some(suits) = self.suits() {
                let each = forms.iter().flat_map(|form| {
                    suits.iter().map(move |&suit| {
                        let mut form = *form;
                        form[suit] += sign;
                        form
                    })
                });
                *forms = each.collect();
            } else {
                let first = self.digit()?;
                let second = self.peek().is_some_and(|c| c.is_ascii_digit());
                let number = if second {
                    10 * first + self.digit()?
                } else {
                    first
                };
                forms
                    .iter_mut()
                    .for_each(|form| form[4] += sign * i64::from(number));
            }
            sign = match self.peek() {
                Some('+') => side,
                Some('-') => -side,
                _ => return Ok(()),
            };
            self.at += 1;
        }
    }
}

/// Factors of the four lengths, and a number.
type LengthSum = [i64; 5];

/// A form, or one of several, is in a relation to 0.
struct LengthRelation {
    forms: Vec<LengthSum>,
    relation: Operator,
}

impl LengthRelation {
    fn holds(&self, shape: &HandShape) -> bool {
        self.forms.iter().any(|form| {
            let pairs = form.iter().zip(shape);
            let lengths: i64 = pairs
                .map(|(factor, &length)| factor * i64::from(length))
                .sum();
            self.relation.of(lengths + form[4], 0) == Ok(1)
        })
    }
}

/// The lengths of the four suits, for each way to give the parts to suits: first those that name
/// theirs, then the others in order, and those of the group in any order.
fn patterns(parts: &[ShapePart], group: &[LengthMask]) -> Vec<[LengthMask; 4]> {
    let (named, others): (Vec<&ShapePart>, Vec<&ShapePart>) =
        parts.iter().partition(|part| !part.suits.is_empty());
    let mut found = Vec::new();
    for order in orders() {
        let fits = named
            .iter()
            .zip(order)
            .all(|(part, suit)| part.suits.contains(&suit));
        // The others have the first suits that are left, in order.
        let (ordered, grouped) = order[named.len()..].split_at(others.len());
        let before = |suit: &usize| grouped.iter().all(|other| suit < other);
        if fits && ordered.is_sorted() && ordered.iter().all(before) {
            let lengths = named.iter().chain(&others).map(|part| part.lengths);
            let mut pattern = [0; 4];
            for (lengths, suit) in lengths.chain(group.iter().copied()).zip(order) {
                pattern[suit] = lengths;
            }
            found.push(pattern);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    /// Whether hands of these lengths are allowed, by an expression of the letters alone.
    #[test]
    fn shapes_in_braces_are_as_their_words_say() {
        type Fits = fn(u8, u8, u8, u8) -> bool;
        let sorted = |s, h, d, c| {
            let mut lengths = [s, h, d, c];
            lengths.sort_unstable();
            lengths
        };
        let balanced: Fits = |s, h, d, c| {
            let lengths = [s, h, d, c];
            lengths.iter().all(|&of| of >= 2) && lengths.iter().filter(|&&of| of == 2).count() < 2
        };
        let cases: [(&str, Fits); 16] = [
            ("7xxx", |s, _, _, _| s == 7),
            ("5+xx5+", |s, _, _, c| s >= 5 && c >= 5),
            ("2-xxx", |s, _, _, _| s <= 2),
            ("x[3-5]x[13]", |_, h, _, c| {
                (3..=5).contains(&h) && (c == 1 || c == 3)
            }),
            ("[024-6]s[13]cxx", |s, _, _, c| {
                [0, 2, 4, 5, 6].contains(&s) && (c == 1 || c == 3)
            }),
            ("5s(431)", |s, h, d, c| {
                let mut rest = [h, d, c];
                rest.sort_unstable();
                s == 5 && rest == [1, 3, 4]
            }),
            ("53(14)", |s, h, d, c| {
                (s, h) == (5, 3) && (d, c) != (5, 0) && d * c == 4
            }),
            ("4+c3+d(2+2+)", |s, h, d, c| {
                c >= 4 && d >= 3 && s >= 2 && h >= 2
            }),
            ("5M5m(xx)", |s, h, d, c| {
                (s == 5 || h == 5) && (d == 5 || c == 5)
            }),
            ("4M6mxx", |s, h, d, c| {
                (s == 4 || h == 4) && (d == 6 || c == 6)
            }),
            ("5+M3+c(31)", |s, h, d, c| {
                c >= 3 && (s >= 5 && d + h == 4 && d * h == 3 || h >= 5 && d + s == 4 && d * s == 3)
            }),
            ("3d2c4s4h", |s, h, d, c| (s, h, d, c) == (4, 4, 3, 2)),
            ("4+s4+h(xx):d>c,h+s==10", |s, h, d, c| {
                s >= 4 && h >= 4 && d > c && h + s == 10
            }),
            ("(5xxx):c>6,d<3 or h+s==10", |s, h, d, c| {
                [s, h, d, c].contains(&5) && (c > 6 && d < 3 || h + s == 10)
            }),
            ("7+xxx:h<2 or m<2", |s, h, d, c| {
                s >= 7 && (h < 2 || d < 2 || c < 2)
            }),
            ("xxxx - (7+xxx) - x0xx", |s, h, d, c| {
                [s, h, d, c].iter().all(|&of| of < 7) && h > 0
            }),
        ];
        let shapes = (0..=13_u8).flat_map(|s| (0..=13 - s).map(move |h| (s, h)));
        let shapes =
            shapes.flat_map(|(s, h)| (0..=13 - s - h).map(move |d| (s, h, d, 13 - s - h - d)));
        let shapes: Vec<_> = shapes.collect();
        let allowed = |text: &str, (s, h, d, c)| {
            let set =
                super::shapes(text).unwrap_or_else(|(at, what)| panic!("{text}: {at}: {what}"));
            set.has([s, h, d, c])
        };
        for (text, fits) in cases {
            for &(s, h, d, c) in &shapes {
                assert_eq!(
                    allowed(text, (s, h, d, c)),
                    fits(s, h, d, c),
                    "{text}: {s}{h}{d}{c}"
                );
            }
        }
        for &(s, h, d, c) in &shapes {
            let plain = balanced(s, h, d, c);
            assert_eq!(allowed("(3+3+3+2+)", (s, h, d, c)), plain, "{s}{h}{d}{c}");
            let two = [[2, 3, 4, 4], [3, 3, 3, 4]].contains(&sorted(s, h, d, c));
            assert_eq!(allowed("(4432)+(4333)", (s, h, d, c)), two, "{s}{h}{d}{c}");
        }
    }
}
