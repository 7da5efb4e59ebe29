/* Asks the database in use whether a side takes its tricks: docs/probe.md. */
#include <setrograde.h>
#include <stdio.h>

int main(void) {
  char error[200];
  sg_db *db = sg_open(NULL, 0, SG_WAIT, error, sizeof error);
  if (!db) return printf("%s\n", error), 1;
  /* North, East, South, West: spades AQ, 76, 54, K3; bit 0 is the deuce. South leads. */
  const uint16_t cards[4][4] = {{1 << 12 | 1 << 10}, {1 << 5 | 1 << 4}, {1 << 3 | 1 << 2}, {1 << 11 | 1 << 1}};
  uint8_t known[4];
  int answer = sg_decide(db, cards, 4, 2, 2, known);
  printf("two tricks: %s, by the top %d spades\n", answer == SG_YES ? "yes" : "no", known[0]);
  sg_close(db);
  return 0;
}
