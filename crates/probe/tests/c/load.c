/* Loads the library at run time; a missing one is as one without a database. C and C++. */
#include <setrograde_load.h>

#include <stdio.h>

int main(int count, char **arguments) {
  sg_api sg;
  sg_db *db;
  char error[200] = "";
  uint16_t cards[4][4] = {{1}, {2}, {4}, {8}};
  uint64_t hands[4] = {1, 2, 4, 8};
  sg_ending ending = {{{1}, {2}, {4}, {8}}, 4, 3};
  uint8_t known[4] = {0, 0, 0, 0};
  int8_t tricks = 9;
  int loaded;
  if (count != 3) return 2;
  loaded = sg_load(&sg, arguments[1]);
  db = sg.open(arguments[2], 0, SG_NEVER_WAIT, error, sizeof error);
  printf("%d %d %s %d", loaded, sg.cards(db), error,
         sg.decide(db, (const uint16_t(*)[4])cards, 4, 3, 1, known));
  printf(" %d", sg.decide52(db, hands, SG_DEUCE_LOW, 4, 3, 1, known));
  printf(" %d", (int)sg.values(db, &ending, 1, &tricks));
  printf(" %d\n", tricks);
  sg.close(db);
  return 0;
}
