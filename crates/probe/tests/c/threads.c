/* Eight threads ask one database the same questions, by both layouts; each must get the same. */
#include <setrograde.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, QUESTIONS = 20000 };
static sg_db *db;

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static void *ask(void *sum) {
  uint64_t state = 88172645463325252ULL, total = 0;
  int question, card;
  for (question = 0; question < QUESTIONS; question++) {
    uint16_t cards[4][4] = {{0}};
    uint64_t hands[4] = {0};
    uint8_t known[4] = {0}, known52[4] = {0};
    int tricks = 1 + (int)(next(&state) % 2), trump = (int)(next(&state) % 5), code, code52;
    uint64_t gone = 0;
    for (card = 0; card < 4 * tricks;) {
      int at = (int)(next(&state) % 52);
      if (gone >> at & 1) continue;
      gone |= (uint64_t)1 << at;
      cards[card % 4][at / 13] |= (uint16_t)(1 << at % 13);
      hands[card % 4] |= (uint64_t)1 << at;
      card++;
    }
    code = sg_decide(db, (const uint16_t(*)[4])cards, trump, question % 4, tricks, known);
    code52 = sg_decide52(db, hands, SG_DEUCE_LOW, trump, question % 4, tricks, known52);
    if (code < 0 || code != code52 || memcmp(known, known52, 4)) total += 1000000007;
    total = total * 31 + (uint64_t)code * 5 + known[0] + known[3];
  }
  *(uint64_t *)sum = total;
  return NULL;
}

int main(int count, char **arguments) {
  pthread_t threads[THREADS];
  uint64_t sums[THREADS];
  char error[200];
  int thread, wrong = 0;
  if (count != 2) return 2;
  db = sg_open(arguments[1], 0, SG_READ_AHEAD, error, sizeof error);
  if (!db) return printf("%s\n", error), 1;
  for (thread = 0; thread < THREADS; thread++)
    pthread_create(&threads[thread], NULL, ask, &sums[thread]);
  for (thread = 0; thread < THREADS; thread++) pthread_join(threads[thread], NULL);
  for (thread = 1; thread < THREADS; thread++) wrong += sums[thread] != sums[0];
  sg_close(db);
  printf("%d wrong, abi %d\n", wrong, sg_abi());
  return wrong;
}
