/* A complete double-dummy solver that asks a database of endgames: what a newcomer copies.

     cc -O2 -I crates/probe/include -o small lab/comparisons/hooked/small_solver.c
     SETROGRADE_DB=db16 ./small libsetrograde.so < data/deals_100.txt

   Each line of input is a deal in PBN, and after " | " its 20 results (NT S H D C, of declarers
   N E S W). Without an argument no database is asked. Zero-window alpha-beta, one card after
   another; the table stores for each suit the number of top cards whose owners prove a result, so
   one entry answers for every deal of the cards below. */
#include <setrograde_load.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct entry {
  uint64_t shape;     /* 16 lengths of four bits */
  uint32_t owners[4]; /* of the known cards from the top, two bits each */
  struct entry *next;
  uint8_t leader, known[4], least, most; /* tricks of North and South */
} entry;

enum { SLOTS = 1 << 20, ENTRIES = 1 << 22 };
static entry *slots[SLOTS], pool[ENTRIES];
static size_t used;

static sg_api sg;
static sg_db *db;
static int db_cards;

static uint16_t hands[4][4]; /* by seat and suit; bit 0 is the deuce */
static int trump;            /* 4 at no trump */
static unsigned long long nodes, asked;

static int count(unsigned bits) { return __builtin_popcount(bits); }
static unsigned highest(unsigned bits) { return bits ? 1u << (31 - __builtin_clz(bits)) : 0; }
static unsigned suit_left(int suit) {
  return hands[0][suit] | hands[1][suit] | hands[2][suit] | hands[3][suit];
}

/* The k-th card from the top of a set; 0 for none. */
static unsigned kth(unsigned bits, int k) {
  unsigned card = 0;
  for (; k > 0; k--) bits ^= card = highest(bits);
  return card;
}

static int tricks_left(int seat) {
  return count(hands[seat][0]) + count(hands[seat][1]) + count(hands[seat][2]) +
         count(hands[seat][3]);
}

/* The owners of a suit's cards from the top. */
static uint32_t owners_of(int suit) {
  uint32_t owners = 0;
  unsigned left = suit_left(suit), card;
  int at = 0;
  for (; left; left ^= card, at += 2) {
    card = highest(left);
    owners |= (uint32_t)(hands[1][suit] & card   ? 1
                         : hands[2][suit] & card ? 2
                         : hands[3][suit] & card ? 3
                                                 : 0)
              << at;
  }
  return owners;
}

/* Winners that the leader can cash, whatever the opponents do; `rank` gets the lowest of them. */
static int sure_tricks(int leader, unsigned rank[4]) {
  int suit, sum = 0, left = hands[(leader + 1) & 3][trump & 3] | hands[(leader + 3) & 3][trump & 3];
  for (suit = 0; suit < 4; suit++) {
    unsigned all = suit_left(suit), card = highest(all);
    int limit = 13, wins = 0;
    if (trump < 4 && suit != trump && left) {
      int east = count(hands[(leader + 1) & 3][suit]), west = count(hands[(leader + 3) & 3][suit]);
      limit = east < west ? east : west;
    }
    rank[suit] = 0;
    for (; card && hands[leader][suit] & card && wins < limit; card = highest(all)) {
      rank[suit] = card, all ^= card, wins++;
    }
    /* Partner must not be made to ruff or to win. */
    if (trump < 4 && suit != trump && hands[(leader + 2) & 3][trump] &&
        count(hands[(leader + 2) & 3][suit]) < wins)
      wins = count(hands[(leader + 2) & 3][suit]);
    if (!wins) rank[suit] = 0;
    sum += wins;
  }
  return sum;
}

typedef struct trick {
  int leader, played, best, same; /* same: cards of the suit of the best one */
  int suit[4];
  unsigned card[4], all[4]; /* all: the cards at the start of the trick */
} trick;

static int search(int leader, int need, unsigned rank[4]);

/* True if a card beats the best one of the trick. */
static int beats(const trick *t, int suit, unsigned card) {
  int best = t->suit[t->best];
  return suit == best ? card > t->card[t->best] : suit == trump;
}

/* Greater for cards to be tried sooner. */
static int score(const trick *t, int seat, int suit, unsigned card) {
  int height = 31 - __builtin_clz(card), wins, partner;
  if (!t->played)
    return card == highest(t->all[suit]) ? 100 + count(hands[seat][suit])
                                         : 3 * count(hands[seat][suit]) - height;
  wins = beats(t, suit, card);
  partner = t->played >= 2 && t->best == t->played - 2;
  if (t->played == 1) return wins && card == highest(t->all[suit]) ? 100 : 50 - height;
  if (wins && !partner) return t->played == 3 ? 100 - height : 100 + height;
  return 50 - height - (suit == trump ? 20 : 0);
}

/* Plays the rest of a trick. Returns 1 if North and South take `need` tricks more; `rank` gets by
   suit the lowest card that the proof needs. */
static int play(trick *t, int need, unsigned rank[4]) {
  int seat = (t->leader + t->played) & 3, maximizes = !(seat & 1), moves = 0, i, s;
  unsigned lows[13], tops[13], child[4];
  int suits[13], scores[13];
  nodes++;
  if (t->played == 4) {
    int winner = (t->leader + t->best) & 3, value;
    value = search(winner, need - !(winner & 1), rank);
    /* The winner's rank counts if another card of its suit was played. */
    s = t->suit[t->best];
    if (t->same > 1 && (!rank[s] || t->card[t->best] < rank[s])) rank[s] = t->card[t->best];
    return value;
  }
  for (s = 0; s < 4; s++) {
    unsigned own = hands[seat][s];
    if (t->played && hands[seat][t->suit[0]] && s != t->suit[0]) continue;
    while (own) { /* one card of each run of adjacent ones: the lowest */
      unsigned top = highest(own), low = top;
      own ^= top;
      while (own && !(t->all[s] & (low - 1) & ~(2 * highest(own) - 1))) own ^= low = highest(own);
      lows[moves] = low, tops[moves] = top, suits[moves] = s;
      scores[moves] = score(t, seat, s, low);
      moves++;
    }
  }
  memset(rank, 0, 4 * sizeof *rank);
  while (moves) {
    int best = t->best, same = t->same, value, at = 0;
    for (i = 1; i < moves; i++)
      if (scores[i] > scores[at]) at = i;
    s = t->suit[t->played] = suits[at];
    t->card[t->played] = lows[at];
    if (!t->played) t->best = 0, t->same = 1;
    else if (beats(t, s, lows[at])) t->same = s == t->suit[t->best] ? same + 1 : 1, t->best = t->played;
    else if (s == t->suit[t->best]) t->same++;
    hands[seat][s] ^= lows[at];
    t->played++;
    value = play(t, need, child);
    t->played--;
    hands[seat][s] ^= lows[at];
    t->best = best, t->same = same;
    /* A proof that needs some of a run needs all of it: the cards are equal only together. */
    if (child[s] > lows[at] && child[s] <= tops[at]) child[s] = lows[at];
    if (value == maximizes) {
      memcpy(rank, child, sizeof child);
      return value;
    }
    for (i = 0; i < 4; i++)
      if (child[i] && (!rank[i] || child[i] < rank[i])) rank[i] = child[i];
    moves--;
    lows[at] = lows[moves], tops[at] = tops[moves];
    suits[at] = suits[moves], scores[at] = scores[moves];
  }
  return !maximizes;
}

static int search(int leader, int need, unsigned rank[4]) {
  int left = tricks_left(leader), s, h, value, sure;
  uint32_t owners[4];
  uint64_t shape = 0, hash;
  entry *e;
  trick t;
  memset(rank, 0, 4 * sizeof *rank);
  if (need <= 0) return 1;
  if (need > left) return 0;
  for (s = 0; s < 4; s++) {
    owners[s] = owners_of(s);
    for (h = 0; h < 4; h++) shape = shape << 4 | (uint64_t)count(hands[h][s]);
  }
  hash = (shape * 4 + (uint64_t)leader) * 0x9e3779b97f4a7c15u >> 44;
  for (e = slots[hash]; e; e = e->next) {
    if (e->shape != shape || e->leader != leader || (e->least < need && e->most >= need)) continue;
    for (s = 0; s < 4; s++)
      if ((e->owners[s] ^ owners[s]) & ((1u << 2 * e->known[s]) - 1)) break;
    if (s < 4) continue;
    for (s = 0; s < 4; s++) rank[s] = kth(suit_left(s), e->known[s]);
    return e->least >= need;
  }
  sure = sure_tricks(leader, rank);
  if (!(leader & 1) && sure >= need) return 1;
  if (leader & 1 && left - sure < need) return 0;
  value = -1;
  if (4 * left <= db_cards) {
    /* The database answers for the side on lead, with the top cards that prove it. */
    uint8_t known[4];
    int target = leader & 1 ? left - need + 1 : need;
    int answer = sg.decide(db, (const uint16_t(*)[4])hands, trump, leader, target, known);
    asked++;
    if (answer >= 0) {
      value = leader & 1 ? answer == SG_NO : answer == SG_YES;
      for (s = 0; s < 4; s++) rank[s] = kth(suit_left(s), known[s]);
    }
  }
  if (value < 0) {
    memset(&t, 0, sizeof t);
    t.leader = leader;
    for (s = 0; s < 4; s++) t.all[s] = suit_left(s);
    value = play(&t, need, rank);
  }
  if (used == ENTRIES) used = 0, memset(slots, 0, sizeof slots);
  e = &pool[used++];
  e->shape = shape, e->leader = (uint8_t)leader;
  e->least = (uint8_t)(value ? need : 0), e->most = (uint8_t)(value ? left : need - 1);
  for (s = 0; s < 4; s++) {
    e->owners[s] = owners[s];
    e->known[s] = (uint8_t)(rank[s] ? count(suit_left(s) & ~(rank[s] - 1)) : 0);
  }
  e->next = slots[hash], slots[hash] = e;
  return value;
}

static int read_deal(const char *text) {
  static const char ranks[] = "23456789TJQKA";
  static const char seats[] = "NESW";
  const char *seat = strchr(seats, *text);
  int hand, suit;
  memset(hands, 0, sizeof hands);
  if (!*text || !seat || text[1] != ':') return 0;
  text += 2;
  for (hand = suit = 0; *text && *text != '|' && *text != '\n'; text++) {
    const char *rank = strchr(ranks, *text);
    if (*text == '.') suit++;
    else if (*text == ' ') hand++, suit = 0;
    else if (rank && hand < 4 && suit < 4) 
      hands[(seat - seats + hand) & 3][suit] |= (uint16_t)(1 << (rank - ranks));
    else return 0;
  }
  return 1;
}

int main(int arguments, char **argument) {
  static const int strains[] = {4, 0, 1, 2, 3};
  char line[300];
  int deals = 0, wrong = 0, strain, declarer, guess;
  clock_t begun;
  if (sg_load(&sg, arguments > 1 ? argument[1] : "none")) {
    char error[200];
    db = sg.open(NULL, 0, SG_WAIT, error, sizeof error);
    if (!db) fprintf(stderr, "%s\n", error);
  }
  db_cards = sg.cards(db);
  begun = clock();
  for (; fgets(line, sizeof line, stdin); deals++) {
    char *expected = strchr(line, '|');
    if (!read_deal(line)) return fprintf(stderr, "not a deal: %s", line), 1;
    for (strain = 0; strain < 5; strain++) {
      trump = strains[strain];
      used = 0, memset(slots, 0, sizeof slots);
      guess = 6;
      for (declarer = 0; declarer < 4; declarer++) {
        unsigned rank[4];
        int leader = (declarer + 1) & 3, left = tricks_left(0), tricks;
        if (guess > left) guess = left;
        if (search(leader, guess, rank))
          while (guess < left && search(leader, guess + 1, rank)) guess++;
        else
          while (--guess > 0 && !search(leader, guess, rank)) {}
        tricks = declarer & 1 ? left - guess : guess;
        printf(strain + declarer ? " %d" : "%d", tricks);
        if (expected) wrong += strtol(expected + 1, &expected, 10) != tricks, expected--;
      }
    }
    printf("\n");
  }
  fprintf(stderr, "%d deals, %d wrong, %llu nodes, %llu questions to %d cards, %.2f s\n", deals, wrong,
          nodes, asked, db_cards, (double)(clock() - begun) / CLOCKS_PER_SEC);
  sg.close(db);
  return wrong != 0;
}
