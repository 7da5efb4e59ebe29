/* setrograde's endgame databases inside any double-dummy solver. MIT OR Apache-2.0.

   Link with -lsetrograde, or load the library at run time by setrograde_load.h. docs/probe.md has
   a program of twelve lines, and the hooks for known solvers.

   No function prints, exits, unwinds or keeps a pointer that it was given (but for the levels of
   sg_open_memory). A database never changes after it was opened: any number of threads may ask it. */
#ifndef SETROGRADE_H
#define SETROGRADE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. A library with another sg_abi() is not this one. */
#define SG_ABI 1

typedef struct sg_db sg_db;

/* Answers. */
#define SG_NO 0
#define SG_YES 1
/* The database does not hold the ending, has only bounds for it, or would wait for the disk:
   search on. */
#define SG_OPEN (-1)
/* The cards are no ending, or an argument is out of range. */
#define SG_WRONG (-2)
/* A file of the database is damaged there. */
#define SG_DAMAGED (-3)

/* How questions read levels that are not in memory: flags of sg_open. */
/* Levels up to 1 GiB wait for the disk, larger ones do not. */
#define SG_BY_SIZE 0
/* Every question waits. The first deals after a start of the system may take seconds. */
#define SG_WAIT 1
/* No question waits: it returns SG_OPEN, and the system reads the bytes in the background. Linux
   only; elsewhere as SG_WAIT. */
#define SG_NEVER_WAIT 2
/* Opening reads every level from end to end: for a solver of many deals. */
#define SG_READ_AHEAD 3

/* Orders of the bits in 52-bit hands, 13 bits a suit, suit 0 lowest. */
#define SG_DEUCE_LOW 0
#define SG_ACE_LOW 1

/* Returns SG_ABI of the library. */
int sg_abi(void);

/* Opens the database in the directory `path` (UTF-8). NULL means the deepest of the databases
   that the command `setrograde` would find: the directory in $SETROGRADE_DB alone if that is set,
   the user's data directory, share/setrograde next to the library or the program.

   `max_cards` is the maximum number of cards in all four hands together of the endings that are
   answered; 0 for all levels. Returns NULL on failure: `error`, unless it is NULL, has the reason
   then, a line of at most room - 1 bytes. Takes a millisecond or less, but with SG_READ_AHEAD. */
sg_db *sg_open(const char *path, int max_cards, int flags, char *error, size_t room);

/* The same from the bytes of maps, level-NN-....map, which must outlive the database. The levels of up
   to 12 cards have 0.44 MB, those of up to 16 have 14 MB. */
sg_db *sg_open_memory(const void *const *levels, const size_t *sizes, size_t n, char *error,
                      size_t room);

/* Closes a database. No other thread may be using it. NULL does nothing. */
void sg_close(sg_db *db);

/* Returns the maximum number of cards of an ending that is answered, 4 to 52, all smaller ones
   being answered too; 0 for NULL. */
int sg_cards(const sg_db *db);

/* Does the side on lead take at least `target` of the tricks that are left? Nothing is on the
   table; 1 <= target <= tricks left.

   cards[hand][suit]: bit 0 is the deuce, bit 12 the ace, as they are: cards that were played
   leave gaps. Hands go clockwise, whichever is first; `leader` is an index of them; `trump` is an
   index of the suits, or 4 for none.

   Returns SG_YES or SG_NO, and then known[suit] is the number of top cards left in that suit whose
   owners prove the answer: it holds for all endings with these suit lengths in which these cards
   have these owners. A transposition table should store the answer for that set: with all cards
   named, DDS searches 14 times the nodes that it needs without a database. Otherwise returns
   SG_OPEN, SG_WRONG or SG_DAMAGED, and `known` is unchanged. */
int sg_decide(const sg_db *db, const uint16_t (*cards)[4], int trump, int leader, int target,
              uint8_t *known);

/* The same for four hands of 52 bits, in one of the two orders of bits. */
int sg_decide52(const sg_db *db, const uint64_t *hands, int order, int trump, int leader,
                int target, uint8_t *known);

/* An ending, as sg_decide takes it. */
typedef struct sg_ending {
  uint16_t cards[4][4];
  int32_t trump;
  int32_t leader;
} sg_ending;

/* The tricks that the side on lead takes, 0 to 13, and what they depend on: known[suit] is the
   number of top cards left in that suit whose owners prove that it takes these tricks and no more,
   and *share is the share of all deals of these cards that have these suit lengths and these
   owners, above 0 and up to 1. A statistician weighs a deal with it. Otherwise returns SG_OPEN,
   SG_WRONG or SG_DAMAGED, and `known` and `share` are unchanged. */
int sg_matter(const sg_db *db, const uint16_t (*cards)[4], int trump, int leader, uint8_t *known,
              double *share);

/* The tricks that the side on lead takes, of `n` endings at once: tricks[i] is 0 to 13, or
   SG_OPEN, SG_WRONG or SG_DAMAGED. Returns the number of endings with tricks. Questions wait for
   the disk whatever the flags say. Side by side, look-ups are faster than alone. */
size_t sg_values(const sg_db *db, const sg_ending *endings, size_t n, int8_t *tricks);

#ifdef __cplusplus
}
#endif

#endif
