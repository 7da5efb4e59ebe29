/*
 * The C interface of libdds with the names that DDS 3.1 gives to its structures and
 * their parts: Deal, FutureTricks, no_of_boards. Include this file or <dds/dll.h>, which has
 * the names of 2.9; the structures are the same.
 */
#ifndef SETROGRADE_API_DLL_H
#define SETROGRADE_API_DLL_H

#ifdef SETROGRADE_DDS_DLL_H
#error "<dds/dll.h> has the names of DDS 2.9, <api/dll.h> those of 3.1: include one of them"
#endif

#define deal Deal
#define dealPBN DealPBN
#define futureTricks FutureTricks
#define boards Boards
#define boardsPBN BoardsPBN
#define solvedBoards SolvedBoards
#define solvedBoard solved_board
#define ddTableDeal DdTableDeal
#define ddTableDealPBN DdTableDealPBN
#define ddTableDeals DdTableDeals
#define ddTableDealsPBN DdTableDealsPBN
#define ddTableResults DdTableResults
#define resTable res_table
#define ddTablesRes DdTablesRes
#define noOfBoards no_of_boards
#define noOfTables no_of_tables
#define parResults ParResults
#define parScore par_score
#define parContractsString par_contracts_string
#define allParResults AllParResults
#define presults par_results
#define parResultsDealer ParResultsDealer
#define contractType ContractType
#define underTricks under_tricks
#define overTricks over_tricks
#define parResultsMaster ParResultsMaster
#define parTextResults ParTextResults
#define parText par_text
#define playTraceBin PlayTraceBin
#define playTracePBN PlayTracePBN
#define playTracesBin PlayTracesBin
#define playTracesPBN PlayTracesPBN
#define solvedPlay SolvedPlay
#define solvedPlays SolvedPlays
#define versionString version_string

#include "../dds/dll.h"

#undef deal
#undef dealPBN
#undef futureTricks
#undef boards
#undef boardsPBN
#undef solvedBoards
#undef solvedBoard
#undef ddTableDeal
#undef ddTableDealPBN
#undef ddTableDeals
#undef ddTableDealsPBN
#undef ddTableResults
#undef resTable
#undef ddTablesRes
#undef noOfBoards
#undef noOfTables
#undef parResults
#undef parScore
#undef parContractsString
#undef allParResults
#undef presults
#undef parResultsDealer
#undef contractType
#undef underTricks
#undef overTricks
#undef parResultsMaster
#undef parTextResults
#undef parText
#undef playTraceBin
#undef playTracePBN
#undef playTracesBin
#undef playTracesPBN
#undef solvedPlay
#undef solvedPlays
#undef versionString

#undef DDS_VERSION
#define DDS_VERSION 30100
#define DDS_NOTRUMP 4

#endif
