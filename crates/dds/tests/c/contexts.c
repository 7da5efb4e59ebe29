/* Many plays in turns, with cards dealt anew and trumps changed, in one context and with one
   thread index: each position gets what a new context says of it. An argument sets the number of
   positions. */
#include <api/dds_c_api.h>
#define deal Deal /* the name in DDS 3 */
#include "random_deals.h"
#undef deal
#include <stdio.h>
#include <stdlib.h>

#define PLAYS 12

static int cards_left(const struct Deal *position)
{
  int hand, suit, left = 0;
  for (hand = 0; hand < DDS_HANDS; hand++)
    for (suit = 0; suit < DDS_SUITS; suit++)
      left += __builtin_popcount(position->remainCards[hand][suit]);
  return left;
}

/* Plays a card to the trick, of which `played` cards are on the table. */
static void play(struct Deal *position, int played, int suit, int rank)
{
  int n, best = 0, seat = (position->first + played) % 4;
  position->remainCards[seat][suit] &= ~(1u << rank);
  if (played < 3)
  {
    position->currentTrickSuit[played] = suit;
    position->currentTrickRank[played] = rank;
    return;
  }
  int suits[4], ranks[4];
  for (n = 0; n < 3; n++)
  {
    suits[n] = position->currentTrickSuit[n];
    ranks[n] = position->currentTrickRank[n];
    position->currentTrickSuit[n] = position->currentTrickRank[n] = 0;
  }
  suits[3] = suit;
  ranks[3] = rank;
  for (n = 1; n < 4; n++)
    if (suits[n] == suits[best] ? ranks[n] > ranks[best] : suits[n] == position->trump)
      best = n;
  position->first = (position->first + best) % 4;
}

/* Deals the cards of East and West anew. */
static void deal_again(struct Deal *position, unsigned *random)
{
  int cards[26], count = 0, east = 0, n, suit, rank;
  for (suit = 0; suit < DDS_SUITS; suit++)
    for (rank = 2; rank <= 14; rank++)
      for (n = 1; n <= 3; n += 2)
        if (position->remainCards[n][suit] >> rank & 1)
        {
          cards[count++] = 16 * suit + rank;
          east += n == 1;
        }
  for (n = count - 1; n > 0; n--)
  {
    int other = (int)(next_random(random) % (unsigned)(n + 1)), card = cards[n];
    cards[n] = cards[other];
    cards[other] = card;
  }
  for (suit = 0; suit < DDS_SUITS; suit++)
    position->remainCards[1][suit] = position->remainCards[3][suit] = 0;
  for (n = 0; n < count; n++)
    position->remainCards[n < east ? 1 : 3][cards[n] / 16] |= 1u << (cards[n] % 16);
}

static int differ(struct FutureTricks *one, struct FutureTricks *other)
{
  one->nodes = other->nodes = 0;
  return memcmp(one, other, sizeof *one) != 0;
}

/* Texts as DDS 3.1 reads them; ranks that are none are passed over. */
static int reads_deals(void)
{
  static const char *const good[] = {"N:AK... QJ... T9... 87...", "xE:2.3.4.5 - x", "w:?"};
  static const char *const bad[] = {"N AK... QJ...", "AK... QJ...", "N:AK.N.. QJ...", "N:A K Q J T",
    "N:A.K.Q.J.T", "N:A... E:K...", "N:A... K... Q... J... ", ""};
  unsigned cards[4][4];
  size_t n;
  for (n = 0; n < sizeof good / sizeof *good; n++)
    if (dds_c_convert_from_pbn(good[n], cards) != RETURN_NO_FAULT)
      return printf("%s is refused\n", good[n]), 0;
  for (n = 0; n < sizeof bad / sizeof *bad; n++)
    if (dds_c_convert_from_pbn(bad[n], cards) != RETURN_PBN_FAULT)
      return printf("%s is read\n", bad[n]), 0;
  return 1;
}

int main(int count, char **words)
{
  int n, questions = count > 1 ? atoi(words[1]) : 1000;
  unsigned random = 1, seed = 0;
  struct Deal positions[PLAYS];
  DDS_C_SOLVER_CTX context = dds_c_create_solvercontext_default();
  memset(positions, 0, sizeof positions);
  if (!reads_deals())
    return 5;
  for (n = 0; n < questions; n++)
  {
    struct FutureTricks expected, found, indexed, one;
    struct Deal *position = &positions[next_random(&random) % PLAYS];
    int mode = (int)(next_random(&random) % 3), target = -1, chosen, suit, rank;
    DDS_C_SOLVER_CTX fresh;
    if (cards_left(position) <= 4)
    {
      *position = random_deal(seed, 4 + (int)(seed % 4));
      seed++;
    }
    if (cards_left(position) % 4 == 0 && next_random(&random) % 2 == 0)
      deal_again(position, &random);
    if (next_random(&random) % 8 == 0)
      position->trump = (int)(next_random(&random) % 5);
    if (next_random(&random) % 4 == 0)
      target = (int)(next_random(&random) % (unsigned)((cards_left(position) + 3) / 4 + 1));
    memset(&expected, 0, sizeof expected);
    found = indexed = one = expected;
    fresh = dds_c_create_solvercontext(2, 0, n % 7);
    if (dds_c_solve_board(fresh, position, target, 3, 1, &expected) != 1
        || dds_c_solve_board(context, position, target, 3, mode, &found) != 1
        || SolveBoard(*position, target, 3, mode == 0 ? 1 : mode, &indexed, 0) != 1)
      return printf("question %d is refused\n", n), 2;
    if (differ(&expected, &found) || differ(&expected, &indexed))
      return printf("question %d has another answer\n", n), 3;
    /* The first card of the list, if one is requested. */
    if (dds_c_solve_board(context, position, -1, 1, 1, &one) != 1
        || one.cards != 1 || one.suit[0] != expected.suit[0] || one.rank[0] != expected.rank[0]
        || one.score[0] != expected.score[0] || one.equals[0] != expected.equals[0])
      return printf("question %d has another first card\n", n), 4;
    dds_c_destroy_solvercontext(fresh);
    chosen = (int)(next_random(&random) % (unsigned)expected.cards);
    suit = expected.suit[chosen];
    rank = expected.rank[chosen];
    play(position, (4 - cards_left(position) % 4) % 4, suit, rank);
    if (n % 100 == 50)
      dds_c_resize_tt(context, 0, n % 3);
    if (n % 100 == 99)
      dds_c_clear_tt(context);
  }
  dds_c_destroy_solvercontext(context);
  dds_c_destroy_solvercontext(NULL);
  return 0;
}
