//! The player `exact` plays a best line where the average over layouts misleads.

use fastrand::Rng;
use setrograde_beliefs::{Layout, Question, Strengths, View};
use setrograde_cards::Vulnerability;
use setrograde_play::players::{Player, Roster};
use setrograde_play::{Bridge, Goal};
use setrograde_single_dummy::{LineOptions, Objective, best_line};

#[test]
fn its_card_begins_a_best_line() {
    let roster = Roster::default();
    let player = |spec: &str| -> Box<dyn Player<Bridge>> {
        let spec = spec.parse().expect("a player");
        roster.player(&spec).expect("it plays bridge")
    };
    let (mut exact, mut pimc) = (player("exact:worlds=300,layouts=300"), player("pimc:300"));
    let mut rng = Rng::with_seed(7);
    let (mut asked, mut misled) = (0, 0);
    // The side on lead acts as the declarer's: it sees two hands.
    let mut questions = vec!["NT W W:KJT.A.. ? A98.2.. ? out=Q32.KQ54.2.".to_owned()];
    for _ in 0..30 {
        let hidden = [setrograde_cards::Seat::North, setrograde_cards::Seat::South];
        let west = setrograde_cards::Seat::West;
        questions.push(Question::random_text(&mut rng, 4, west, &hidden));
    }
    for text in questions {
        let question: Question = text.parse().expect("a question");
        let open = View::of_bridge(&question).expect("a view");
        let contract = format!("3{}S", open.game().strain())
            .parse()
            .expect("a contract");
        let game = Bridge::new(contract, Vulnerability::None, Goal::Tricks);
        let view = View::of_question(&question.asked_by(open.to_play()), game).expect("a view");
        let layouts: Vec<Layout> = {
            let beliefs = open.beliefs(&Strengths::NONE).expect("layouts");
            beliefs.layouts().collect()
        };
        let options = LineOptions {
            all_cards: true,
            ..LineOptions::default()
        };
        let found = best_line(&open, &layouts, &[], &Objective::Mean, &options).expect("a line");
        let worth = |card| {
            let of = found
                .cards
                .iter()
                .find(|of| of.card == card || of.equals.contains(&card));
            of.expect("a card that may be played").value.worth
        };
        let choose = |player: &mut Box<dyn Player<Bridge>>| {
            let choice = player
                .choose(&view, &mut Rng::with_seed(1))
                .expect("a card");
            worth(choice.card)
        };
        let (exactly, on_average) = (choose(&mut exact), choose(&mut pimc));
        assert!(
            (exactly - found.value.worth).abs() < 1e-6,
            "{text}: {exactly} of {found:?}"
        );
        asked += 1;
        misled += usize::from(on_average < exactly - 1e-6);
    }
    assert!(asked == 31 && misled > 0, "{misled}");
}
