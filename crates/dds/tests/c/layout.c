/* The header's layouts are those of DDS 2.9. */
#include "dds/dll.h"
#include <stddef.h>

#define SIZE(type, bytes) _Static_assert(sizeof(struct type) == bytes, #type)
#define AT(type, field, offset) _Static_assert(offsetof(struct type, field) == offset, #type "." #field)

SIZE(deal, 96);
AT(deal, first, 4);
AT(deal, currentTrickSuit, 8);
AT(deal, currentTrickRank, 20);
AT(deal, remainCards, 32);
SIZE(dealPBN, 112);
AT(dealPBN, remainCards, 32);
SIZE(futureTricks, 216);
AT(futureTricks, cards, 4);
AT(futureTricks, suit, 8);
AT(futureTricks, rank, 60);
AT(futureTricks, equals, 112);
AT(futureTricks, score, 164);
SIZE(boards, 21604);
AT(boards, deals, 4);
AT(boards, target, 19204);
AT(boards, solutions, 20004);
AT(boards, mode, 20804);
SIZE(boardsPBN, 24804);
AT(boardsPBN, target, 22404);
SIZE(solvedBoards, 43204);
SIZE(ddTableDeal, 64);
SIZE(ddTableDeals, 12804);
SIZE(ddTableDealPBN, 80);
SIZE(ddTableDealsPBN, 16004);
SIZE(ddTableResults, 80);
SIZE(ddTablesRes, 16004);
SIZE(parResults, 288);
SIZE(allParResults, 11520);
SIZE(parResultsDealer, 108);
SIZE(contractType, 20);
SIZE(parResultsMaster, 208);
SIZE(parTextResults, 257);
AT(parTextResults, equal, 256);
SIZE(playTraceBin, 420);
SIZE(playTracePBN, 112);
SIZE(solvedPlay, 216);
SIZE(playTracesBin, 84004);
SIZE(playTracesPBN, 22404);
SIZE(solvedPlays, 43204);
SIZE(DDSInfo, 1204);
AT(DDSInfo, versionString, 12);
AT(DDSInfo, system, 24);
AT(DDSInfo, threadSizes, 52);
AT(DDSInfo, systemString, 180);

int main(void) { return 0; }
