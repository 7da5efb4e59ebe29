/* All questions of the command setrograde for C and C++, about open and hidden hands.
   MIT OR Apache-2.0. Link with -lsetrograde_ask.

   A question and its answer are JSON objects (docs/json.md):

     {"ask": "odds", "question": "NT S N:AQ... ? 32... ? out=KJT9..."}

   has the options of the command by name. A question that has no answer has an object with "error".

   The functions that answer write JSON and a 0 into `answer`, which has `room` bytes, and return the number
   of bytes of the JSON without the 0. If that is not less than `room`, the text is cut: call again with more
   room. SG_WRONG means that there is no JSON, and `answer` says why. `answer` may be NULL with a room of 0.

   `seconds` is the most time for a call; 0 means 2. A call needs 64 KB of its caller's stack: deep searches
   use a stack of their own. All functions may be called by several threads at once. */
#ifndef SETROGRADE_ASK_H
#define SETROGRADE_ASK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The input is wrong: the number that setrograde.h has, too. */
#define SG_WRONG (-2)

/* Answers a question from the database in use, with a desk that is forgotten after the call. */
int sg_ask(const char *question, double seconds, char *answer, size_t room);

/* A desk keeps the tables of its searches from one question to the next: the second question about a deal
   takes a fraction of the time of the first. */
typedef struct sg_desk sg_desk;

/* Returns a desk with a database: the files in `directory`, or the database in use if `directory` is NULL.
   Returns NULL if the directory has no database that can be opened. */
sg_desk *sg_desk_new(const char *directory);

/* Answers a question, like sg_ask. Calls of several threads at one desk wait for each other; give each
   thread a desk of its own. */
int sg_desk_ask(sg_desk *desk, const char *question, double seconds, char *answer, size_t room);

/* Frees a desk that no call uses. NULL is ignored. */
void sg_desk_free(sg_desk *desk);

#ifdef __cplusplus
}
#endif

#endif
