/* The leads of a deal one by one, as a player might ask about them: a context keeps what it
   learns about the deal from one to the next. See docs/libdds.md. */
#include <api/dds_c_api.h>
#include <stdio.h>

static const char *suits = "SHDC", *ranks = "..23456789TJQKA";

int main(void)
{
  const char *pbn = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
  struct Deal deal = {DDS_NOTRUMP, 0, {0}, {0}, {{0}}}; /* North leads at no trump. */
  struct FutureTricks tricks;
  DDS_C_SOLVER_CTX context = dds_c_create_solvercontext_default();
  char message[80];
  int suit, rank, code = dds_c_convert_from_pbn(pbn, deal.remainCards);
  for (suit = 0; suit < DDS_SUITS && code == RETURN_NO_FAULT; suit++)
    for (rank = 14; rank >= 2 && code == RETURN_NO_FAULT; rank--)
    {
      struct Deal led = deal;
      if (!(deal.remainCards[0][suit] >> rank & 1))
        continue;
      led.remainCards[0][suit] &= ~(1u << rank);
      led.currentTrickSuit[0] = suit;
      led.currentTrickRank[0] = rank;
      code = dds_c_solve_board(context, &led, -1, 1, 1, &tricks);
      if (code == RETURN_NO_FAULT)
        printf("%c%c: East and West take %d\n", suits[suit], ranks[rank], tricks.score[0]);
    }
  dds_c_destroy_solvercontext(context);
  if (code == RETURN_NO_FAULT)
    return 0;
  dds_c_error_message(code, message);
  fprintf(stderr, "%s\n", message);
  return 1;
}
