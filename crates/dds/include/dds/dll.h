/*
 * The C interface of libdds, as in DDS 2.9, by setrograde.
 *
 * Suits:   spades, hearts, diamonds, clubs, no trump = 0 ... 4
 * Hands:   North, East, South, West = 0 ... 3
 * Holding: bit r is set for rank r, the deuce being 2 and the ace 14
 * Vulnerability: none, both, North-South, East-West = 0 ... 3
 *
 * Functions that return an int return 1, or a negative code below that
 * ErrorMessage explains. docs/libdds.md lists the differences from DDS.
 */
#ifndef SETROGRADE_DDS_DLL_H
#define SETROGRADE_DDS_DLL_H

#ifndef __cplusplus
#include <stdbool.h>
#endif

/* DDS_STATIC is for programs that have the library in themselves. */
#if defined(_WIN32)
#define STDCALL __stdcall
#else
#define STDCALL
#endif
#if defined(_WIN32) && !defined(DDS_STATIC)
#define DLLEXPORT __declspec(dllimport)
#else
#define DLLEXPORT
#endif

#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C
#endif

/* The version of DDS whose interface this is. */
#define DDS_VERSION 20900

#define DDS_HANDS 4
#define DDS_SUITS 4
#define DDS_STRAINS 5
/* Boards in one call, and tables of five strains. */
#define MAXNOOFBOARDS 200
#define MAXNOOFTABLES 40

/* Return codes. */
#define RETURN_NO_FAULT 1
#define RETURN_UNKNOWN_FAULT -1 /* null pointers; counts that differ; tables with no such tricks */
#define RETURN_ZERO_CARDS -2
#define RETURN_TARGET_TOO_HIGH -3
#define RETURN_DUPLICATE_CARDS -4
#define RETURN_TARGET_WRONG_LO -5
#define RETURN_TARGET_WRONG_HI -7
#define RETURN_SOLNS_WRONG_LO -8
#define RETURN_SOLNS_WRONG_HI -9
#define RETURN_TOO_MANY_CARDS -10
#define RETURN_SUIT_OR_RANK -12
#define RETURN_PLAYED_CARD -13
#define RETURN_CARD_COUNT -14
#define RETURN_THREAD_INDEX -15
#define RETURN_MODE_WRONG_LO -16
#define RETURN_MODE_WRONG_HI -17
#define RETURN_TRUMP_WRONG -18
#define RETURN_FIRST_WRONG -19
#define RETURN_PLAY_FAULT -98
#define RETURN_PBN_FAULT -99
#define RETURN_TOO_MANY_BOARDS -101
#define RETURN_THREAD_CREATE -102  /* never */
#define RETURN_THREAD_WAIT -103    /* never */
#define RETURN_THREAD_MISSING -104 /* SetThreading */
#define RETURN_NO_SUIT -201
#define RETURN_TOO_MANY_TABLES -202
#define RETURN_CHUNK_SIZE -301

/* The texts of ErrorMessage for them. */
#define TEXT_NO_FAULT "Success"
#define TEXT_UNKNOWN_FAULT "General error"
#define TEXT_ZERO_CARDS "Zero cards"
#define TEXT_TARGET_TOO_HIGH "Target exceeds number of tricks"
#define TEXT_DUPLICATE_CARDS "Cards duplicated"
#define TEXT_TARGET_WRONG_LO "Target is less than -1"
#define TEXT_TARGET_WRONG_HI "Target is higher than 13"
#define TEXT_SOLNS_WRONG_LO "Solutions parameter is less than 1"
#define TEXT_SOLNS_WRONG_HI "Solutions parameter is higher than 3"
#define TEXT_TOO_MANY_CARDS "Too many cards"
#define TEXT_SUIT_OR_RANK "currentTrickSuit or currentTrickRank has wrong data"
#define TEXT_PLAYED_CARD "Played card also remains in a hand"
#define TEXT_CARD_COUNT "Wrong number of remaining cards in a hand"
#define TEXT_THREAD_INDEX "Thread index is not 0 .. maximum"
#define TEXT_MODE_WRONG_LO "Mode parameter is less than 0"
#define TEXT_MODE_WRONG_HI "Mode parameter is higher than 2"
#define TEXT_TRUMP_WRONG "Trump is not in 0 .. 4"
#define TEXT_FIRST_WRONG "First is not in 0 .. 2"
#define TEXT_PLAY_FAULT "AnalysePlay input error"
#define TEXT_PBN_FAULT "PBN string error"
#define TEXT_TOO_MANY_BOARDS "Too many boards requested"
#define TEXT_THREAD_CREATE "Could not create threads"
#define TEXT_THREAD_WAIT "Something failed waiting for thread to end"
#define TEXT_THREAD_MISSING "Multi-threading system not present"
#define TEXT_NO_SUIT "Denomination filter vector has no entries"
#define TEXT_TOO_MANY_TABLES "Too many DD tables requested"
#define TEXT_CHUNK_SIZE "Chunk size is less than 1"

/* A position: who led or leads to the trick, up to three cards on the table
   (rank 0 ends the list), and the cards in the hands, by hand and suit. */
struct deal
{
  int trump, first;
  int currentTrickSuit[3], currentTrickRank[3];
  unsigned int remainCards[DDS_HANDS][DDS_SUITS];
};

/* The same with the cards as text: "N:AKQ... J.A.. T9..A. 8.K.K." */
struct dealPBN
{
  int trump, first;
  int currentTrickSuit[3], currentTrickRank[3];
  char remainCards[80];
};

/* The cards of the hand to play, the best first, one for each run of equal
   ones, of which `equals` has the lower ones as a holding. */
struct futureTricks
{
  int nodes; /* positions searched */
  int cards; /* entries in the lists */
  int suit[13], rank[13], equals[13], score[13];
};

struct boards
{
  int noOfBoards;
  struct deal deals[MAXNOOFBOARDS];
  int target[MAXNOOFBOARDS], solutions[MAXNOOFBOARDS], mode[MAXNOOFBOARDS];
};

struct boardsPBN
{
  int noOfBoards;
  struct dealPBN deals[MAXNOOFBOARDS];
  int target[MAXNOOFBOARDS], solutions[MAXNOOFBOARDS], mode[MAXNOOFBOARDS];
};

struct solvedBoards
{
  int noOfBoards;
  struct futureTricks solvedBoard[MAXNOOFBOARDS];
};

struct ddTableDeal
{
  unsigned int cards[DDS_HANDS][DDS_SUITS];
};

struct ddTableDealPBN
{
  char cards[80];
};

struct ddTableDeals
{
  int noOfTables;
  struct ddTableDeal deals[MAXNOOFTABLES * DDS_STRAINS];
};

struct ddTableDealsPBN
{
  int noOfTables;
  struct ddTableDealPBN deals[MAXNOOFTABLES * DDS_STRAINS];
};

/* Tricks by strain and declarer. */
struct ddTableResults
{
  int resTable[DDS_STRAINS][DDS_HANDS];
};

struct ddTablesRes
{
  int noOfBoards; /* boards solved: four for each strain of each table */
  struct ddTableResults results[MAXNOOFTABLES * DDS_STRAINS];
};

/* Par for North-South and for East-West bidding first. */
struct parResults
{
  char parScore[2][16];           /* "NS 420" */
  char parContractsString[2][128]; /* "NS:NS 4S" */
};

struct allParResults
{
  struct parResults presults[MAXNOOFTABLES];
};

struct parResultsDealer
{
  int number, score;
  char contracts[10][10]; /* "4S*-EW-1" */
};

struct contractType
{
  int underTricks, overTricks;
  int level; /* 1 ... 7, or 0 for a pass */
  int denom; /* no trump, spades, hearts, diamonds, clubs = 0 ... 4 */
  int seats; /* a hand, or 4 for North-South and 5 for East-West */
};

struct parResultsMaster
{
  int score, number;
  struct contractType contracts[10];
};

struct parTextResults
{
  char parText[2][128];
  bool equal; /* it does not matter who bids first */
};

struct playTraceBin
{
  int number;
  int suit[52], rank[52];
};

struct playTracePBN
{
  int number;
  char cards[106]; /* "SASKS2..." */
};

/* Declarer's tricks at the start and after each card of a play. */
struct solvedPlay
{
  int number;
  int tricks[53];
};

struct playTracesBin
{
  int noOfBoards;
  struct playTraceBin plays[MAXNOOFBOARDS];
};

struct playTracesPBN
{
  int noOfBoards;
  struct playTracePBN plays[MAXNOOFBOARDS];
};

struct solvedPlays
{
  int noOfBoards;
  struct solvedPlay solved[MAXNOOFBOARDS];
};

struct DDSInfo
{
  int major, minor, patch;
  char versionString[10];
  int system;  /* 0 unknown, 1 Windows, 3 Linux, 4 Apple */
  int numBits; /* 32 or 64 */
  int compiler, constructor;
  int numCores;
  int threading;
  int noOfThreads;
  char threadSizes[128];
  char systemString[1024];
};

/* Setting up; no call needs any of it. A number that is not positive means
   "as much as there is". */
EXTERN_C DLLEXPORT void STDCALL SetMaxThreads(int userThreads);
EXTERN_C DLLEXPORT int STDCALL SetThreading(int code);
EXTERN_C DLLEXPORT void STDCALL SetResources(int maxMemoryMB, int maxThreads);
EXTERN_C DLLEXPORT void STDCALL FreeMemory(void);
EXTERN_C DLLEXPORT void STDCALL GetDDSInfo(struct DDSInfo *info);
EXTERN_C DLLEXPORT void STDCALL ErrorMessage(int code, char line[80]);

/* Cards and their tricks. target: -1 for the best, or a number of tricks;
   solutions: 1 for one card, 2 for all of the best, 3 for all cards. */
EXTERN_C DLLEXPORT int STDCALL SolveBoard(struct deal dl, int target, int solutions, int mode,
                                          struct futureTricks *futp, int threadIndex);
EXTERN_C DLLEXPORT int STDCALL SolveBoardPBN(struct dealPBN dlpbn, int target, int solutions,
                                             int mode, struct futureTricks *futp, int thrId);
EXTERN_C DLLEXPORT int STDCALL SolveAllBoards(struct boardsPBN *bop, struct solvedBoards *solvedp);
EXTERN_C DLLEXPORT int STDCALL SolveAllBoardsBin(struct boards *bop, struct solvedBoards *solvedp);
EXTERN_C DLLEXPORT int STDCALL SolveAllChunks(struct boardsPBN *bop, struct solvedBoards *solvedp,
                                              int chunkSize);
EXTERN_C DLLEXPORT int STDCALL SolveAllChunksBin(struct boards *bop, struct solvedBoards *solvedp,
                                                 int chunkSize);
EXTERN_C DLLEXPORT int STDCALL SolveAllChunksPBN(struct boardsPBN *bop,
                                                 struct solvedBoards *solvedp, int chunkSize);

/* Tables. mode: -1, or a vulnerability to get par as well; trumpFilter: not 0
   for a strain to leave out. */
EXTERN_C DLLEXPORT int STDCALL CalcDDtable(struct ddTableDeal tableDeal,
                                           struct ddTableResults *tablep);
EXTERN_C DLLEXPORT int STDCALL CalcDDtablePBN(struct ddTableDealPBN tableDealPBN,
                                              struct ddTableResults *tablep);
EXTERN_C DLLEXPORT int STDCALL CalcAllTables(struct ddTableDeals *dealsp, int mode,
                                             int trumpFilter[DDS_STRAINS],
                                             struct ddTablesRes *resp, struct allParResults *presp);
EXTERN_C DLLEXPORT int STDCALL CalcAllTablesPBN(struct ddTableDealsPBN *dealsp, int mode,
                                                int trumpFilter[DDS_STRAINS],
                                                struct ddTablesRes *resp,
                                                struct allParResults *presp);

/* Par. */
EXTERN_C DLLEXPORT int STDCALL Par(struct ddTableResults *tablep, struct parResults *presp,
                                   int vulnerable);
EXTERN_C DLLEXPORT int STDCALL CalcPar(struct ddTableDeal tableDeal, int vulnerable,
                                       struct ddTableResults *tablep, struct parResults *presp);
EXTERN_C DLLEXPORT int STDCALL CalcParPBN(struct ddTableDealPBN tableDealPBN,
                                          struct ddTableResults *tablep, int vulnerable,
                                          struct parResults *presp);
EXTERN_C DLLEXPORT int STDCALL SidesPar(struct ddTableResults *tablep,
                                        struct parResultsDealer sidesRes[2], int vulnerable);
EXTERN_C DLLEXPORT int STDCALL SidesParBin(struct ddTableResults *tablep,
                                           struct parResultsMaster sidesRes[2], int vulnerable);
EXTERN_C DLLEXPORT int STDCALL DealerPar(struct ddTableResults *tablep,
                                         struct parResultsDealer *presp, int dealer,
                                         int vulnerable);
EXTERN_C DLLEXPORT int STDCALL DealerParBin(struct ddTableResults *tablep,
                                            struct parResultsMaster *presp, int dealer,
                                            int vulnerable);
EXTERN_C DLLEXPORT int STDCALL ConvertToDealerTextFormat(struct parResultsMaster *pres, char *resp);
EXTERN_C DLLEXPORT int STDCALL ConvertToSidesTextFormat(struct parResultsMaster *pres,
                                                        struct parTextResults *resp);

/* Plays. */
EXTERN_C DLLEXPORT int STDCALL AnalysePlayBin(struct deal dl, struct playTraceBin play,
                                              struct solvedPlay *solved, int thrId);
EXTERN_C DLLEXPORT int STDCALL AnalysePlayPBN(struct dealPBN dlPBN, struct playTracePBN playPBN,
                                              struct solvedPlay *solvedp, int thrId);
EXTERN_C DLLEXPORT int STDCALL AnalyseAllPlaysBin(struct boards *bop, struct playTracesBin *plp,
                                                  struct solvedPlays *solvedp, int chunkSize);
EXTERN_C DLLEXPORT int STDCALL AnalyseAllPlaysPBN(struct boardsPBN *bopPBN,
                                                  struct playTracesPBN *plpPBN,
                                                  struct solvedPlays *solvedp, int chunkSize);

/* From DDS 3.1: a call with at most maxThreads threads (not positive: as many as there may
   be), a batch in the caller's thread, and tables of any number of deals. */
EXTERN_C DLLEXPORT int STDCALL SolveAllBoardsN(struct boardsPBN const *bop,
                                               struct solvedBoards *solvedp, int maxThreads);
EXTERN_C DLLEXPORT int STDCALL SolveAllBoardsBinN(struct boards const *bop,
                                                  struct solvedBoards *solvedp, int maxThreads);
EXTERN_C DLLEXPORT int STDCALL SolveAllBoardsSeq(struct boardsPBN const *bop,
                                                 struct solvedBoards *solvedp);
EXTERN_C DLLEXPORT int STDCALL SolveAllBoardsBinSeq(struct boards const *bop,
                                                    struct solvedBoards *solvedp);
EXTERN_C DLLEXPORT int STDCALL CalcDDtableN(struct ddTableDeal tableDeal,
                                            struct ddTableResults *tablep, int maxThreads);
EXTERN_C DLLEXPORT int STDCALL CalcDDtablePBNN(struct ddTableDealPBN tableDealPBN,
                                               struct ddTableResults *tablep, int maxThreads);
EXTERN_C DLLEXPORT int STDCALL CalcAllTablesN(struct ddTableDeals const *dealsp, int mode,
                                              int const trumpFilter[DDS_STRAINS],
                                              struct ddTablesRes *resp,
                                              struct allParResults *presp, int maxThreads);
EXTERN_C DLLEXPORT int STDCALL CalcAllTablesPBNN(struct ddTableDealsPBN const *dealsp, int mode,
                                                 int const trumpFilter[DDS_STRAINS],
                                                 struct ddTablesRes *resp,
                                                 struct allParResults *presp, int maxThreads);
EXTERN_C DLLEXPORT void STDCALL InitializeStaticMemory(void);
EXTERN_C DLLEXPORT int STDCALL CalcAllTablesX(int numDeals, struct ddTableDeal const *deals,
                                              int mode, int const trumpFilter[DDS_STRAINS],
                                              struct ddTableResults *results,
                                              struct parResults *par, int maxThreads);
EXTERN_C DLLEXPORT int STDCALL CalcAllTablesPBNX(int numDeals, struct ddTableDealPBN const *deals,
                                                 int mode, int const trumpFilter[DDS_STRAINS],
                                                 struct ddTableResults *results,
                                                 struct parResults *par, int maxThreads);

#endif
