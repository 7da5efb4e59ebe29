/* Null pointers, deals without a final 0 at the very end of readable memory, and
   numbers out of range are refused, and nothing outside is touched. */
#include "random_deals.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory that ends where the process may not read or write. */
static void *at_the_edge(size_t size)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
  char *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + whole, page, PROT_NONE) != 0)
    exit(9);
  /* Structures of ints need a place that is a multiple of 4. */
  return memory + whole - (size + 3) / 4 * 4;
}

#define EXPECT(condition)                             \
  do                                                  \
  {                                                   \
    if (!(condition))                                 \
      return printf("line %d: %s\n", __LINE__, #condition), 1; \
  } while (0)

/* The texts of the header are those of the library. */
static int texts(void)
{
  char line[80];
#define SAYS(name)                      \
  ErrorMessage(RETURN_##name, line);    \
  EXPECT(strcmp(line, TEXT_##name) == 0)
  SAYS(NO_FAULT);
  SAYS(UNKNOWN_FAULT);
  SAYS(ZERO_CARDS);
  SAYS(TARGET_TOO_HIGH);
  SAYS(DUPLICATE_CARDS);
  SAYS(TARGET_WRONG_LO);
  SAYS(TARGET_WRONG_HI);
  SAYS(SOLNS_WRONG_LO);
  SAYS(SOLNS_WRONG_HI);
  SAYS(TOO_MANY_CARDS);
  SAYS(SUIT_OR_RANK);
  SAYS(PLAYED_CARD);
  SAYS(CARD_COUNT);
  SAYS(THREAD_INDEX);
  SAYS(MODE_WRONG_LO);
  SAYS(MODE_WRONG_HI);
  SAYS(TRUMP_WRONG);
  SAYS(FIRST_WRONG);
  SAYS(PLAY_FAULT);
  SAYS(PBN_FAULT);
  SAYS(TOO_MANY_BOARDS);
  SAYS(THREAD_CREATE);
  SAYS(THREAD_WAIT);
  SAYS(THREAD_MISSING);
  SAYS(NO_SUIT);
  SAYS(TOO_MANY_TABLES);
  SAYS(CHUNK_SIZE);
  return 0;
}

int main(void)
{
  struct deal deal = random_deal(1, 3);
  struct dealPBN text;
  struct ddTableDealPBN table_text;
  struct ddTableDeal table;
  struct playTraceBin play;
  struct playTracePBN play_text;
  int filter[5] = {0, 0, 0, 0, 0}, n;
  struct futureTricks *future = at_the_edge(sizeof *future);
  struct boardsPBN *boards = at_the_edge(sizeof *boards);
  struct solvedBoards *solved = at_the_edge(sizeof *solved);
  struct ddTableDealsPBN *tables = at_the_edge(sizeof *tables);
  struct ddTablesRes *results = at_the_edge(sizeof *results);
  struct allParResults *pars = at_the_edge(sizeof *pars);
  struct playTracesPBN *plays = at_the_edge(sizeof *plays);
  struct solvedPlays *values = at_the_edge(sizeof *values);
  struct ddTableResults *result = at_the_edge(sizeof *result);
  struct parResultsDealer *dealer = at_the_edge(2 * sizeof *dealer);
  struct parResultsMaster *master = at_the_edge(2 * sizeof *master);
  struct parTextResults *lines = at_the_edge(sizeof *lines);
  struct parResults *par = at_the_edge(sizeof *par);
  char *line = at_the_edge(80);
  struct DDSInfo *info = at_the_edge(sizeof *info);

  memset(&text, 'A', sizeof text);
  text.trump = text.first = 0;
  memset(text.currentTrickSuit, 0, sizeof text.currentTrickSuit);
  memset(text.currentTrickRank, 0, sizeof text.currentTrickRank);
  memset(&table_text, '.', sizeof table_text);
  memset(&table, 0xff, sizeof table);
  memset(&play, 0xff, sizeof play);
  memset(&play_text, 'S', sizeof play_text);
  play_text.number = 52;

  EXPECT(SolveBoard(deal, -1, 3, 1, future, 0) == 1 && future->nodes >= 0);
  EXPECT(SolveBoard(deal, -1, 3, 1, NULL, 0) < 0);
  EXPECT(SolveBoard(deal, -1, 3, 1, future, -1) == RETURN_THREAD_INDEX);
  EXPECT(SolveBoard(deal, -1, 3, 1, future, 123456) == 1);
  EXPECT(SolveBoardPBN(text, -1, 3, 1, future, 0) < 0);
  EXPECT(CalcDDtable(table, result) < 0 && CalcDDtable(table, NULL) < 0);
  EXPECT(CalcDDtablePBN(table_text, result) == RETURN_PBN_FAULT);
  EXPECT(AnalysePlayBin(deal, play, NULL, 0) < 0);
  EXPECT(AnalysePlayPBN(text, play_text, &values->solved[0], 0) < 0);

  strcpy(text.remainCards, "N:AK... QJ... T9... 87... 65...");
  EXPECT(SolveBoardPBN(text, -1, 3, 1, future, 0) == RETURN_PBN_FAULT);
  strcpy(text.remainCards, "N:AK....2 QJ... T9... 87...");
  EXPECT(SolveBoardPBN(text, -1, 3, 1, future, 0) == RETURN_PBN_FAULT);
  strcpy(text.remainCards, "N:AK... QJ... T9... 87... [only spades]");
  EXPECT(SolveBoardPBN(text, -1, 3, 1, future, 0) == 1);
  EXPECT(SetThreading(0) == 1 && SetThreading(5) == 1);
  EXPECT(SetThreading(-1) == RETURN_THREAD_MISSING && SetThreading(99) == RETURN_THREAD_MISSING);

  memset(boards, 'K', sizeof *boards);
  boards->noOfBoards = -1;
  EXPECT(SolveAllBoards(boards, solved) == RETURN_TOO_MANY_BOARDS);
  boards->noOfBoards = 200;
  EXPECT(SolveAllBoards(boards, solved) < 0);
  boards->noOfBoards = 201;
  EXPECT(SolveAllBoards(boards, solved) == RETURN_TOO_MANY_BOARDS);
  EXPECT(SolveAllBoards(NULL, solved) < 0 && SolveAllBoards(boards, NULL) < 0);
  EXPECT(SolveAllBoardsBin(NULL, NULL) < 0 && SolveAllChunksBin(NULL, NULL, 1) < 0);
  memset(plays, 'K', sizeof *plays);
  boards->noOfBoards = plays->noOfBoards = 200;
  EXPECT(AnalyseAllPlaysPBN(boards, plays, values, 1) < 0);
  EXPECT(AnalyseAllPlaysPBN(NULL, plays, values, 1) < 0 && AnalyseAllPlaysBin(NULL, NULL, NULL, 1) < 0);

  memset(tables, 'Q', sizeof *tables);
  tables->noOfTables = 40;
  EXPECT(CalcAllTablesPBN(tables, 0, filter, results, pars) < 0);
  for (n = 0; n < 40; n++)
    strcpy(tables->deals[n].cards, "N:AK... QJ... T9... 87...");
  EXPECT(CalcAllTablesPBN(tables, 0, filter, results, pars) == 1);
  EXPECT(CalcAllTablesPBN(tables, 0, filter, results, NULL) < 0);
  EXPECT(CalcAllTablesPBN(tables, 0, NULL, results, pars) < 0);
  EXPECT(CalcAllTables(NULL, -1, filter, results, NULL) < 0);
  EXPECT(CalcAllTablesPBNX(40, tables->deals, 0, filter, results->results, pars->presults, 0) == 1);
  EXPECT(CalcAllTablesX(-1, NULL, -1, filter, NULL, NULL, 0) < 0);

  *result = results->results[39];
  EXPECT(Par(result, par, 0) == 1 && SidesPar(result, dealer, 3) == 1);
  EXPECT(DealerPar(result, dealer, 3, 3) == 1 && DealerPar(result, dealer, 4, 0) < 0);
  EXPECT(SidesParBin(result, master, 1) == 1 && ConvertToSidesTextFormat(master, lines) == 1);
  result->resTable[2][1] = 99;
  EXPECT(Par(result, par, 0) < 0 && DealerParBin(result, master, 0, 0) < 0);
  EXPECT(Par(NULL, par, 0) < 0 && Par(result, NULL, 0) < 0);
  EXPECT(ConvertToDealerTextFormat(NULL, line) < 0 && ConvertToDealerTextFormat(master, NULL) < 0);
  EXPECT(ConvertToSidesTextFormat(NULL, lines) < 0 && SidesPar(NULL, NULL, 0) < 0);

  for (n = -400; n < 10; n++)
    ErrorMessage(n, line);
  ErrorMessage(1, NULL);
  EXPECT(texts() == 0);
  GetDDSInfo(NULL);
  GetDDSInfo(info);
  EXPECT(info->major == 2 && info->minor == 9 && info->patch == 0);
  EXPECT(strcmp(info->versionString, "2.9.0") == 0 && strstr(info->systemString, "setrograde"));
  return 0;
}
