/*
 * The C interface of libdds with contexts, as in DDS 3.1, by setrograde.
 *
 * A context keeps a solver from call to call: what it finds out about a deal helps with the next
 * question about that deal, and with other layouts of cards that are seen alike. Answers do not
 * depend on earlier questions. A context belongs to the caller, who destroys it; threads that share
 * one take turns.
 *
 * Functions that return an int return 1, or a negative code that dds_c_error_message explains; a
 * null pointer gives -1, or has no effect if the function returns nothing.
 */
#ifndef SETROGRADE_API_DDS_C_API_H
#define SETROGRADE_API_DDS_C_API_H

#include "dll.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *DDS_C_SOLVER_CTX;

/* Memory is in MiB, and a value that is not positive means the usual amount. There is one kind of
   table; tt_kind (0 to 2) and the first amount mean nothing. */
DLLEXPORT DDS_C_SOLVER_CTX dds_c_create_solvercontext_default(void);
DLLEXPORT DDS_C_SOLVER_CTX dds_c_create_solvercontext(int tt_kind, int def_mb, int max_mb);
DLLEXPORT void dds_c_destroy_solvercontext(DDS_C_SOLVER_CTX ctx);

/* As SolveBoard; with mode 0, too, a single card gets its tricks. */
DLLEXPORT int dds_c_solve_board(DDS_C_SOLVER_CTX ctx, const struct Deal *dl, int target,
                                int solutions, int mode, struct FutureTricks *futp);

/* As CalcDDtable and CalcPar, but tricks of deals with fewer than 13 cards are of those. */
DLLEXPORT int dds_c_calc_dd_table(DDS_C_SOLVER_CTX ctx, const struct DdTableDeal *deal,
                                  struct DdTableResults *results);
DLLEXPORT int dds_c_calc_dd_table_pbn(DDS_C_SOLVER_CTX ctx, const struct DdTableDealPBN *deal,
                                      struct DdTableResults *results);
DLLEXPORT int dds_c_calc_par(DDS_C_SOLVER_CTX ctx, const struct DdTableDeal *deal, int vulnerable,
                             struct DdTableResults *results, struct ParResults *par);

/* Reads up to 80 bytes of a deal in PBN. If that fails, no cards are written: all are 0. */
DLLEXPORT int dds_c_convert_from_pbn(const char *pbn_deal, unsigned int cards[DDS_HANDS][DDS_SUITS]);

/* Memory of a context from now on, and forgetting what it has learned. */
DLLEXPORT void dds_c_configure_tt(DDS_C_SOLVER_CTX ctx, int tt_kind, int def_mb, int max_mb);
DLLEXPORT void dds_c_resize_tt(DDS_C_SOLVER_CTX ctx, int def_mb, int max_mb);
DLLEXPORT void dds_c_clear_tt(DDS_C_SOLVER_CTX ctx);

/* Nothing to do: no call leaves anything that the next one could trip over, and no log is kept. */
DLLEXPORT void dds_c_reset_for_solve(DDS_C_SOLVER_CTX ctx);
DLLEXPORT void dds_c_reset_best_moves_lite(DDS_C_SOLVER_CTX ctx);
DLLEXPORT void dds_c_log_append(DDS_C_SOLVER_CTX ctx, const char *msg);
DLLEXPORT void dds_c_log_clear(DDS_C_SOLVER_CTX ctx);

/* The functions of dll.h without a context, under other names. */
DLLEXPORT int dds_c_par_from_table(const struct DdTableResults *table, int vulnerable,
                                   struct ParResults *par);
DLLEXPORT int dds_c_sides_par(const struct DdTableResults *table,
                              struct ParResultsDealer sides_res[2], int vulnerable);
DLLEXPORT int dds_c_dealer_par(const struct DdTableResults *table, struct ParResultsDealer *par,
                               int dealer, int vulnerable);
DLLEXPORT int dds_c_dealer_par_bin(const struct DdTableResults *table,
                                   struct ParResultsMaster *par, int dealer, int vulnerable);
DLLEXPORT int dds_c_sides_par_bin(const struct DdTableResults *table,
                                  struct ParResultsMaster sides_res[2], int vulnerable);
DLLEXPORT int dds_c_convert_to_dealer_text_format(const struct ParResultsMaster *par, char *resp);
DLLEXPORT int dds_c_convert_to_sides_text_format(const struct ParResultsMaster par[2],
                                                 struct ParTextResults *resp);
DLLEXPORT void dds_c_get_dds_info(struct DDSInfo *info);
DLLEXPORT void dds_c_error_message(int code, char line[80]);

#ifdef __cplusplus
}
#endif

#endif
