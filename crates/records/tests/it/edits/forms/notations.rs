//! Formats with a grammar.

use super::*;

fn usebio(t: &Told, o: [usize; 4]) -> String {
    let hand = |s: usize, h: &[String; 4]| {
        format!(
            "<HAND>\n<DIRECTION>{}</DIRECTION>\n<SPADES>{}</SPADES>\n<HEARTS>{}</HEARTS>\n<DIAMONDS>{}</DIAMONDS>\n<CLUBS>{}</CLUBS>\n</HAND>\n",
            NAMES[s], h[0], h[1], h[2], h[3]
        )
    };
    format!(
        "<?xml version=\"1.0\"?>\n<USEBIO Version=\"1.1\">\n<EVENT EVENT_TYPE=\"PAIRS\">\n<HANDSET>\n<BOARD>\n<BOARD_NUMBER>{}</BOARD_NUMBER>\n{}</BOARD>\n</HANDSET>\n</EVENT>\n</USEBIO>\n",
        t.number,
        each(t, o, "", hand)
    )
}

/// The numbers of the cards of North, East and South, from the ace of spades on.
fn card_numbers(t: &Told) -> String {
    let numbers = |hand: &[String; 4]| {
        let of_suit = |(suit, cards): (usize, &String)| {
            let number = move |c| format!("{:02}", 13 * suit + RANKS.find(c).expect("a rank") + 1);
            cards.chars().map(number).collect::<String>()
        };
        hand.iter().enumerate().map(of_suit).collect::<String>()
    };
    t.hands[..3].iter().map(numbers).collect()
}

fn dds_list(t: &Told, o: [usize; 4]) -> String {
    format!(
        "NUMBER 1\nPBN {} {} 4 0 \"{}:{}\"\n",
        t.dealer,
        [0, 2, 3, 1][t.sides],
        letter(o[0]),
        each(t, o, " ", |_, h| dots(h))
    )
}

pub fn notations() -> Vec<Form> {
    vec![
        turned("PBN", |t, o| {
            format!(
                "[Board \"{}\"]\n[Dealer \"{}\"]\n[Vulnerable \"{}\"]\n[Deal \"{}:{}\"]\n",
                t.number,
                letter(t.dealer),
                PBN_SIDES[t.sides],
                letter(o[0]),
                each(t, o, " ", |_, h| dots(h))
            )
        }),
        turned("PBN's deal", |t, o| {
            format!("{}:{}\n", letter(o[0]), each(t, o, " ", |_, h| dots(h)))
        }),
        turned("PBN's deal under a head", |t, o| {
            head_in_one(t) + &format!("{}:{}\n", letter(o[0]), each(t, o, " ", |_, h| dots(h)))
        }),
        turned("position", |t, o| {
            format!(
                "NT W {}:{}\n",
                letter(o[0]),
                each(t, o, " ", |_, h| dots(h))
            )
        }),
        Form {
            usual: [2, 3, 0, 1],
            ..fixed("LIN", |t, o| {
                format!(
                    "md|{}{},|sv|{}|ah|Board {}|\n",
                    (t.dealer + 2) % 4 + 1,
                    each(t, o, ",", |_, h| lin(h))
                        .rsplit_once(',')
                        .expect("four hands")
                        .0,
                    ["o", "n", "e", "b"][t.sides],
                    t.number
                )
            })
        },
        Form {
            usual: [2, 3, 0, 1],
            ..fixed("LIN of a table", |t, o| {
                format!(
                    "qx|o{}|pn|Ann,Bob,Cy,Di|md|{}{}|sv|{}|mb|p|mb|1N|mb|p|mb|p|mb|p|pg||\n",
                    t.number,
                    (t.dealer + 2) % 4 + 1,
                    each(t, o, ",", |_, h| lin(h)),
                    ["o", "n", "e", "b"][t.sides]
                )
            })
        },
        turned("RBN", |t, o| {
            format!(
                "B {}\nH {}:{}\nA {}{}:PPPP\n",
                t.number,
                letter(o[0]),
                each(t, o, ":", |_, h| dots(h)),
                letter(t.dealer),
                ["Z", "N", "E", "B"][t.sides]
            )
        }),
        turned("a line of RBN", |t, o| {
            format!("H {}:{}\n", letter(o[0]), each(t, o, ":", |_, h| dots(h)))
        }),
        free("a forum's diagram", |t, o| {
            format!(
                "[hv=pc=n&{}&d={}&v={}&b={}]399|300[/hv]\n",
                each(t, o, "&", |s, h| format!("{}={}", letter(s), lin(h))
                    .to_lowercase()),
                letter(t.dealer).to_lowercase(),
                ["0", "n", "e", "b"][t.sides],
                t.number
            )
        }),
        free("a link", |t, o| {
            format!(
                "http://www.bridgebase.com/tools/handviewer.html?{}&d={}&v={}\n",
                each(t, o, "&", |s, h| format!("{}={}", letter(s), lin(h))
                    .to_lowercase()),
                letter(t.dealer).to_lowercase(),
                ["0", "n", "e", "b"][t.sides]
            )
        }),
        Form {
            usual: [2, 3, 0, 1],
            ..fixed("a link with LIN", |t, o| {
                format!(
                    "https://www.bridgebase.com/tools/handviewer.html?lin=md|{}{}|sv|{}|ah|Board {}|\n",
                    (t.dealer + 2) % 4 + 1,
                    each(t, o, ",", |_, h| lin(h)),
                    ["o", "n", "e", "b"][t.sides],
                    t.number
                )
            })
        },
        from_west(fixed("GIB", |t, o| {
            each(t, o, " ", |_, h| dots(h)) + ":65658888888843433232\n"
        })),
        Form {
            is_numbered: true,
            ..free("USEBIO", usebio)
        },
        turned("DDS list", dds_list),
        Form {
            is_numbered: true,
            ..fixed("DUP, numbers alone", |t, _| card_numbers(t) + "\n")
        },
        Form {
            is_numbered: true,
            ..fixed("DUP", |t, o| {
                let signs = each(t, o, "", |_, h| {
                    signed(h, ["\u{6}", "\u{3}", "\u{4}", "\u{5}"], "", "").replace('-', "")
                });
                format!(
                    "{}{signs}YN{:<3}0 {:<3}",
                    card_numbers(t),
                    t.number,
                    t.number
                )
            })
        },
    ]
}
