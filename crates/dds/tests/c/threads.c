/* 64 threads ask for 1,000 boards each, all with thread index 0, and get what
   one thread gets. An argument sets the number of boards. */
#include "random_deals.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define KINDS 50
static struct futureTricks expected[KINDS];
static int boards_each = 1000;

static struct deal kind(int n) { return random_deal((unsigned)n, 3 + n % 4); }

static void *ask(void *start)
{
  int n, first = *(int *)start;
  for (n = 0; n < boards_each; n++)
  {
    int which = (n + first) % KINDS;
    struct futureTricks future;
    memset(&future, 0, sizeof future);
    if (SolveBoard(kind(which), -1, 3, n % 3 == 0 ? 2 : 1, &future, 0) != 1)
      return "refused";
    /* What other threads asked about the same deal may have spared this search. */
    future.nodes = expected[which].nodes;
    if (memcmp(&future, &expected[which], sizeof future) != 0)
      return "differs";
  }
  return NULL;
}

int main(int count, char **words)
{
  pthread_t threads[64];
  int starts[64], n, bad = 0;
  if (count > 1)
    boards_each = atoi(words[1]);
  for (n = 0; n < KINDS; n++)
    if (SolveBoard(kind(n), -1, 3, 1, &expected[n], 0) != 1)
      return 1;
  for (n = 0; n < 64; n++)
  {
    starts[n] = 7 * n;
    if (pthread_create(&threads[n], NULL, ask, &starts[n]) != 0)
      return 2;
  }
  for (n = 0; n < 64; n++)
  {
    void *answer;
    pthread_join(threads[n], &answer);
    if (answer)
      bad++, printf("thread %d: %s\n", n, (char *)answer);
  }
  return bad ? 3 : 0;
}
