/* All questions of the command setrograde for C and C++, and how to play when the opponents' cards
   are hidden. MIT OR Apache-2.0. Link with -lsetrograde_ask.

   All functions write JSON (docs/json.md) and a 0 into `answer`, which has `room` bytes, and return the number of bytes that
   the JSON has without the 0. If that is not less than `room`, the text is cut: call again with more room. A
   negative number means that there is no answer, and `answer` says why. `answer` may be NULL with a room of 0.

   `seconds` is the most time for a call; 0 means 2. The functions may be called by several threads at once. */
#ifndef SETROGRADE_ASK_H
#define SETROGRADE_ASK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The input is wrong: the number that setrograde.h has, too. */
#define SG_WRONG (-2)
/* The time was too short for an answer. */
#define SG_TOO_LONG (-4)

/* The best line of play over layouts that are given, 1 to 1,000, against opponents who see all
   cards. `question` has two hands and ? for the others: "NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..". `layouts` has
   a deal on each line, with a weight after it or without. `objective` is NULL or "tricks" for the most tricks on
   average, "target 3" for the chance of three of the tricks left, or "score 3NTS None 8" for the score in a
   contract, with who is vulnerable and the tricks that declarer has won before. Where the time is too short for
   the exact answer, "worth" is that of a line that was found, and "at_most" what no line exceeds. */
int sg_single_dummy(const char *question, const char *layouts, const char *objective,
                    double seconds, char *answer, size_t room);

/* The best play of one suit: the line for `tricks` tricks (-1: the most with an even chance), the
   chances of each number, and what is best on average and at matchpoints ("average" and "matchpoints", null if too
   many lines must be kept apart). Cards are as "AJT98" or "AJxxx", "-" for none; `gone` were played before, or
   NULL. East and West have vacant places for the other cards, 13 each if nothing is known. North and South are
   reached by other suits as often as their entries say, -1: as often as need be; a lead takes an entry of its
   hand, the first one too, unless that hand won the trick before. */
int sg_suit(const char *north, const char *south, const char *gone, int vacant_east,
            int vacant_west, int entries_north, int entries_south, int tricks, double seconds,
            char *answer, size_t room);

/* Any question of the command, as JSON: {"ask": "odds", "question": "NT S N:AQ... ? 32... ? out=KJT9..."},
   with the options of the command by name. A question without an answer has an object with "error". */
int sg_ask(const char *question, double seconds, char *answer, size_t room);

#ifdef __cplusplus
}
#endif

#endif
