/* Loads the library that the first argument names, uses it, forks, and unloads
   it, again and again; at the end the process exits with it loaded. */
#include "random_deals.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*solve_board)(struct deal, int, int, int, struct futureTricks *, int);
typedef int (*calc_table)(struct ddTableDeal, struct ddTableResults *);

static void *symbol(void *library, const char *name)
{
  void *found = dlsym(library, name);
  if (!found)
    printf("no %s\n", name), exit(1);
  return found;
}

static int use(void *library)
{
  solve_board solve = (solve_board)symbol(library, "SolveBoard");
  calc_table table = (calc_table)symbol(library, "CalcDDtable");
  struct deal deal = random_deal(5, 5);
  struct ddTableDeal cards;
  struct ddTableResults result;
  struct futureTricks future;
  memcpy(cards.cards, deal.remainCards, sizeof cards.cards);
  return solve(deal, -1, 3, 1, &future, 0) == 1 && table(cards, &result) == 1;
}

static void *busy(void *library)
{
  int n;
  for (n = 0; n < 200; n++)
    use(library);
  return NULL;
}

int main(int count, char **words)
{
  int round, status;
  for (round = 0; round < 20; round++)
  {
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (count < 2 || !library)
      return printf("%s\n", dlerror()), 1;
    if (round % 3 != 0)
      ((void (*)(int))symbol(library, "SetMaxThreads"))(0);
    if (round % 4 != 1 && !use(library))
      return 2;
    if (round % 2 == 0)
    {
      /* A fork while other threads are in the library. */
      pthread_t threads[4];
      int n;
      for (n = 0; n < 4; n++)
        pthread_create(&threads[n], NULL, busy, library);
      for (n = 0; n < 10; n++)
      {
        pid_t child = fork();
        if (child == 0)
        {
          alarm(60);
          exit(use(library) ? 0 : 3);
        }
        if (waitpid(child, &status, 0) != child || status != 0)
          return 4;
      }
      for (n = 0; n < 4; n++)
        pthread_join(threads[n], NULL);
    }
    if (round % 5 == 0)
      ((void (*)(void))symbol(library, "FreeMemory"))();
    if (round < 19 && dlclose(library) != 0)
      return 5;
  }
  return 0;
}
