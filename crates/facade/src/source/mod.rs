//! Sources of questions: the lines or boards of a text in any format, each with its location.
//!
//! [`Pieces`] reads a source to its end, in pieces for workers.
//!
//! ```
//! use setrograde::source::{PieceQuestions, Pieces, SourceOptions};
//!
//! let text = "[Board \"3\"]\n[Deal \"N:A... K... Q... J...\"]\n";
//! let mut pieces = Pieces::new("evening.pbn", text.as_bytes(), SourceOptions::default())?;
//! let piece = pieces.next().expect("a piece")?;
//! let PieceQuestions::Boards { boards, .. } = piece.asked else {
//!     panic!("it has boards");
//! };
//! assert!(boards[0].as_ref().is_ok_and(|board| board.number == Some(3)));
//! # Ok::<(), setrograde::source::SourceError>(())
//! ```

mod answered;
mod answers;
mod counted;
mod lines;
mod location;
mod pieces;
mod printable;
mod stoppable;

pub(crate) use answered::object_text;
pub use answered::{Answered, Found, versioned};
pub(crate) use answers::AnyAsk;
pub use answers::{AnsweredBy, Answerer, Answering};
pub(crate) use lines::{LONGEST_LINE, is_question};
pub use location::QuestionLocation;
pub use pieces::{
    PieceQuestions, Pieces, QuestionPiece, SourceError, SourceOptions, nothing_found,
};
pub(crate) use printable::{Escape, escaped};
pub use printable::{acts, arguments_act, printable};
pub(crate) use stoppable::{Stoppable, boards_of};
