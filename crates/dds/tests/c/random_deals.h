/* Deals from a small generator of random numbers, the same on every machine. */
#include "dds/dll.h"
#include <string.h>

static unsigned next_random(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Hands of `size` cards, no card on the table. */
static struct deal random_deal(unsigned seed, int size)
{
  struct deal deal;
  int pack[52], n;
  unsigned state = seed * 2654435761u + 1;
  memset(&deal, 0, sizeof deal);
  for (n = 0; n < 52; n++)
    pack[n] = n;
  for (n = 51; n > 0; n--)
  {
    int other = (int)(next_random(&state) % (unsigned)(n + 1)), card = pack[n];
    pack[n] = pack[other];
    pack[other] = card;
  }
  deal.trump = (int)(next_random(&state) % 5);
  deal.first = (int)(next_random(&state) % 4);
  for (n = 0; n < 4 * size; n++)
    deal.remainCards[n % 4][pack[n] / 13] |= 1u << (pack[n] % 13 + 2);
  return deal;
}
