/* Asks about positions that are none, and opens levels with damaged bytes: every call returns one of
   its codes, and nothing is printed.

     damaged DIR POSITIONS MAPS LEVEL...

   DIR is a database. Each LEVEL is the file of a mapped level, that of 4 cards first; of more than
   three, the others are not read. Exits with 0 if all calls did as promised. */
#include <setrograde.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}

static unsigned below(unsigned n) { return (unsigned)((next() >> 33) % n); }

/* Deals `n` cards to each hand, gaps included. */
static void deal(uint16_t cards[4][4], unsigned n)
{
  unsigned pack[52], i, j, card;
  memset(cards, 0, 16 * sizeof(uint16_t));
  for (i = 0; i < 52; i++) pack[i] = i;
  for (i = 0; i < 4 * n; i++) {
    j = i + below(52 - i);
    card = pack[j];
    pack[j] = pack[i];
    cards[i % 4][card / 13] |= (uint16_t)(1u << card % 13);
  }
}

static int is_code(int code) { return code >= SG_DAMAGED && code <= SG_YES; }

/* Asks about a position, whole or damaged. Returns 0 if the answer has no known code. */
static int ask(const sg_db *db, unsigned most)
{
  uint16_t cards[4][4];
  uint64_t hands[4];
  uint8_t known[4] = {99, 99, 99, 99};
  sg_ending ending;
  int8_t tricks = 99;
  int trump = (int)below(5), leader = (int)below(4), target, code;
  unsigned n = 1 + below(most), i, kind = below(8);
  target = 1 + (int)below(n);
  deal(cards, n);
  if (kind == 0)
    for (i = 0; i < 16; i++) cards[i / 4][i % 4] = (uint16_t)next();
  if (kind == 1)
    for (i = 0; i < 16; i++) cards[i / 4][i % 4] &= 0x1fff;
  if (kind < 4)
    for (i = 0; i < 1 + below(4); i++) cards[below(4)][below(4)] ^= (uint16_t)(1u << below(16));
  if (kind == 4) trump = (int)next();
  if (kind == 5) leader = (int)next();
  if (kind == 6) target = (int)next();
  code = sg_decide(db, (const uint16_t(*)[4])cards, trump, leader, target, known);
  if (!is_code(code) || (code >= 0) == (known[0] == 99)) return 0;
  for (i = 0; i < 4; i++) {
    hands[i] = next() & (kind == 0 ? ~(uint64_t)0 : ((uint64_t)1 << 52) - 1);
    if (kind > 3)
      hands[i] = cards[i][0] | (uint64_t)cards[i][1] << 13 | (uint64_t)cards[i][2] << 26 |
                 (uint64_t)cards[i][3] << 39;
  }
  if (!is_code(sg_decide52(db, hands, (int)below(kind == 7 ? 9 : 2), trump, leader, target, known)))
    return 0;
  memcpy(ending.cards, cards, sizeof cards);
  ending.trump = trump;
  ending.leader = leader;
  sg_values(db, &ending, 1, &tricks);
  return tricks >= SG_DAMAGED && tricks <= 13;
}

static unsigned char *read_file(const char *path, size_t *size)
{
  unsigned char *bytes = NULL;
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = (unsigned char *)malloc(*size);
  if (fread(bytes, 1, *size, file) != *size) exit(2);
  fclose(file);
  return bytes;
}

int main(int argc, char **argv)
{
  const void *levels[4];
  unsigned char *whole[4], *damaged;
  size_t sizes[4], kept[4], i;
  unsigned n;
  long positions, maps, done;
  sg_db *db;
  if (argc < 5) return 2;
  positions = atol(argv[2]);
  maps = atol(argv[3]);
  db = sg_open(argv[1], 0, SG_WAIT, NULL, 0);
  if (!db) return 3;
  for (done = 0; done < positions; done++)
    if (!ask(db, (unsigned)sg_cards(db) / 4 + 1)) return 4;
  sg_close(db);
  /* Levels of up to 12 cards: larger ones take their time to copy. */
  for (n = 0; n < 3 && (int)n + 4 < argc; n++) whole[n] = read_file(argv[n + 4], &sizes[n]);
  for (done = 0; done < maps; done++) {
    const unsigned which = below(n);
    memcpy(kept, sizes, sizeof kept);
    damaged = (unsigned char *)malloc(sizes[which]);
    memcpy(damaged, whole[which], sizes[which]);
    for (i = 0; i < 1 + below(40); i++) {
      /* The header, the index, or anywhere. */
      const size_t range = below(3) ? sizes[which] : (sizes[which] < 2000 ? sizes[which] : 2000);
      damaged[below((unsigned)range)] ^= (unsigned char)(1u << below(8));
    }
    if (below(5) == 0) kept[which] = below((unsigned)sizes[which]);
    for (i = 0; i < n; i++) levels[i] = whole[i];
    levels[which] = damaged;
    db = sg_open_memory(levels, kept, n, NULL, 0);
    for (i = 0; db && i < 20; i++)
      if (!ask(db, n)) return 5;
    sg_close(db);
    free(damaged);
  }
  for (i = 0; i < n; i++) free(whole[i]);
  return 0;
}
