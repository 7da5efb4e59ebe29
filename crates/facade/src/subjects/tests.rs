use super::*;

/// A question about the lead shows the leader's hand alone; a board asks no such question.
#[test]
fn a_lead_is_asked_about_a_hand() {
    let hand = "AQ732.K5.J83.T92";
    let lead = OnLead::line(hand).expect("a hand");
    let asked = |lead: &OnLead, declarer| {
        let question = lead.against("3NT".parse().expect("a bid"), declarer);
        question.map(|question| question.to_string())
    };
    let of_east = format!("NT E N:? {hand} ? ?");
    assert_eq!(asked(&lead, Some(Seat::North)).ok(), Some(of_east.clone()));
    // With its seat.
    let named = OnLead::line(&format!("E:{hand}")).expect("a hand");
    assert_eq!(asked(&named, None).ok(), Some(of_east));
    let error = asked(&named, Some(Seat::South)).expect_err("West leads");
    assert!(error.to_string().contains("West leads"), "{error}");
    // A question with another contract.
    for other in ["NT S", "4NTS"] {
        let asks = OnLead::line(&format!("{other} N:? ? ? {hand}"));
        let declarer = Some(Seat::South);
        asked(&asks.expect("a question"), declarer).expect_err(other);
    }
    // Low cards are the same each time.
    let low = || {
        OnLead::line("AQ7xx.K5.Jx3.T9x")
            .expect("a hand")
            .to_string()
    };
    let (low, again) = (low(), low());
    assert_eq!(low, again);
    assert!(low.starts_with("AQ") && !low.contains('x'), "{low}");
    let error = OnLead::board(&Board::default()).expect_err("a line only");
    assert_eq!(error, Lacks::Line);
}

/// The text of a claim's question is its line.
#[test]
fn questions_are_shown_as_lines() {
    let contract: Contract = "3NTS".parse().expect("a contract");
    let mut rng = fastrand::Rng::with_seed(4);
    let deal = Deal::random(|n| rng.usize(..n));
    let lead = deal.hand(Seat::West).iter().next().expect("13 cards");
    let question = declarer_question(contract, &deal, &[lead]);
    let text = question.to_string();
    let [north, _, south, _] = deal.hands();
    assert_eq!(text, format!("NT W N:{north} ? {south} ? by=S {lead}"));
    let read: Question = text.parse().expect("a question");
    assert_eq!(read.unseen(), question.unseen());
    assert_eq!(read.to_string(), text);
}
