//! The desks at which requests are answered. They keep the tables of their searches.

use std::ops::ControlFlow;
use std::sync::Mutex;

use hyper::StatusCode;
use setrograde::solver::Stop;
use setrograde::{DESK, Desk, JsonQuestion, JsonReply, Refusal, RefusalKind, lock};

use crate::answer::{HttpAnswer, JSON, JSON_LINES};
use crate::request::{self, HttpQuestion, QuestionContent};

/// Desks, one for each request that is answered.
pub struct Desks {
    /// The desk of which all others are made.
    first: Desk,
    /// Desks that answer nothing now; the one that answered last is taken first.
    free: Mutex<Vec<Desk>>,
    /// Maximum number of free desks.
    most_free: usize,
    /// Maximum number of bytes of an answer.
    longest: usize,
}

impl Desks {
    /// Makes desks like the first, of which `most_free` stay with their tables.
    pub fn new(first: Desk, most_free: usize, longest: usize) -> Desks {
        Desks {
            first,
            free: Mutex::default(),
            most_free,
            longest,
        }
    }

    /// The number of cards of the largest endings in the database.
    pub fn cards(&self) -> usize {
        let database = self.first.database();
        database.map_or(0, |database| 4 * database.max_tricks())
    }

    /// Answers a request; `None` if `stop` was due first.
    pub fn answer(&self, asked: &HttpQuestion, stop: &Stop) -> Option<HttpAnswer> {
        let free = lock(&self.free).pop();
        let mut desk = free.unwrap_or_else(|| self.first.another());
        desk.set_stop(stop.clone());
        let answer = self.answer_at(&mut desk, asked);
        desk.set_stop(Stop::default());
        let mut free = lock(&self.free);
        if free.len() < self.most_free {
            free.push(desk);
        }
        drop(free);
        answer.filter(|_| !stop.is_due())
    }

    fn answer_at(&self, desk: &mut Desk, asked: &HttpQuestion) -> Option<HttpAnswer> {
        let (question, file) = match request::read(asked) {
            Ok(QuestionContent::Json(json)) => {
                return self.whole(desk.reply_among(&[DESK], json));
            }
            Ok(QuestionContent::One(question)) => {
                return self.whole(desk.reply(question));
            }
            Ok(QuestionContent::File(question, file)) => (question, file),
            Err(answer) => return Some(answer),
        };
        self.answer_each(desk, question, file, asked.wants_list())
    }

    /// The answer with one object, or a list.
    fn whole(&self, reply: JsonReply) -> Option<HttpAnswer> {
        let JsonReply {
            mut object,
            refused,
        } = reply;
        object.push('\n');
        if object.len() > self.longest {
            return Some(self.too_long());
        }
        Some(HttpAnswer {
            status: status(refused.as_ref())?,
            ..HttpAnswer::new(JSON, object)
        })
    }

    /// The answers to the questions of a file: a list, or an object per line.
    fn answer_each(
        &self,
        desk: &mut Desk,
        question: JsonQuestion,
        file: &[u8],
        as_list: bool,
    ) -> Option<HttpAnswer> {
        let mut text = String::new();
        let mut end = None;
        let (mut asked, mut unanswered, mut first_refusal) = (0_u64, 0_u64, None);
        let each = &mut |reply: JsonReply| {
            // Without an answer in time, or because of an option, there is none to any question.
            let of_all = |kind| matches!(kind, RefusalKind::Interrupted | RefusalKind::Request);
            if reply
                .refused
                .as_ref()
                .is_some_and(|refusal| of_all(refusal.kind))
            {
                end = Some(self.whole(reply));
                return ControlFlow::Break(());
            }
            asked += 1;
            if let Some(refusal) = reply.refused {
                unanswered += 1;
                first_refusal.get_or_insert(refusal);
            }
            text += match (as_list, asked) {
                (false, _) => "",
                (true, 1) => "[",
                (true, _) => ",",
            };
            text += &reply.object;
            text += if as_list { "" } else { "\n" };
            if text.len() > self.longest {
                end = Some(Some(self.too_long()));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        if let Err(refusal) = desk.reply_to_each(question, &mut &file[..], each) {
            let problem = refusal.to_string();
            return Some(HttpAnswer::refused(status(Some(&refusal))?, problem));
        }
        if let Some(end) = end {
            return end;
        }
        let unprocessable = |problem: String| {
            Some(HttpAnswer::refused(
                StatusCode::UNPROCESSABLE_ENTITY,
                problem,
            ))
        };
        match first_refusal.filter(|_| unanswered == asked) {
            Some(first) => {
                let first = first.to_string();
                return unprocessable(match asked {
                    1 => first,
                    _ => format!("none of the {asked} questions has an answer; the first: {first}"),
                });
            }
            None if asked == 0 => return unprocessable("the file has no question".to_owned()),
            None => {}
        }
        if as_list {
            text += "]\n";
        }
        let kind = if as_list { JSON } else { JSON_LINES };
        Some(HttpAnswer::new(kind, text))
    }

    fn too_long(&self) -> HttpAnswer {
        let problem = format_args!("the answer is longer than {} bytes", self.longest);
        HttpAnswer::refused(StatusCode::PAYLOAD_TOO_LARGE, problem)
    }
}

/// The status of an answer or a refusal; `None` if the time was over.
fn status(refused: Option<&Refusal>) -> Option<StatusCode> {
    match refused.map(|refusal| refusal.kind) {
        None => Some(StatusCode::OK),
        Some(RefusalKind::Interrupted) => None,
        Some(RefusalKind::Request) => Some(StatusCode::BAD_REQUEST),
        Some(_) => Some(StatusCode::UNPROCESSABLE_ENTITY),
    }
}
