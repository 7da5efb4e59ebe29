/* The double-dummy results of a deal, by libdds. */
#include <dds/dll.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  struct DDSInfo info;
  struct ddTableDealPBN deal;
  struct ddTableResults table;
  char problem[80];
  int code, strain, hand;

  GetDDSInfo(&info);
  printf("%s\n", info.systemString);

  strcpy(deal.cards, "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76");
  code = CalcDDtablePBN(deal, &table);
  if (code != RETURN_NO_FAULT)
  {
    ErrorMessage(code, problem);
    fprintf(stderr, "%s\n", problem);
    return 1;
  }
  printf("     N  E  S  W\n");
  for (strain = 0; strain < DDS_STRAINS; strain++)
  {
    printf("%s", strain < 4 ? (const char *[]){"S ", "H ", "D ", "C "}[strain] : "NT");
    for (hand = 0; hand < DDS_HANDS; hand++)
      printf(" %2d", table.resTable[strain][hand]);
    printf("\n");
  }
  return 0;
}
