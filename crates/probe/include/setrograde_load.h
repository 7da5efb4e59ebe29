/* Loads libsetrograde at run time, so a program needs no new library to be built or started.
   MIT OR Apache-2.0.

     sg_api sg;
     sg_db *db = sg_load(&sg, NULL) ? sg.open(NULL, 0, SG_NEVER_WAIT, NULL, 0) : NULL;
     ...
     if (cards_left <= sg.cards(db)) answer = sg.decide(db, cards, trump, leader, target, known);

   Where there is no library, or none with this SG_ABI, sg_load returns 0, sg.open returns NULL,
   sg.cards returns 0, and the remaining functions return SG_OPEN. On Linux before glibc 2.34, link
   with -ldl. */
#ifndef SETROGRADE_LOAD_H
#define SETROGRADE_LOAD_H

#include "setrograde.h"

#include <string.h>

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of setrograde.h, without their prefix. */
typedef struct sg_api {
  sg_db *(*open)(const char *path, int max_cards, int flags, char *error, size_t room);
  sg_db *(*open_memory)(const void *const *levels, const size_t *sizes, size_t n, char *error,
                        size_t room);
  void (*close)(sg_db *db);
  int (*cards)(const sg_db *db);
  int (*decide)(const sg_db *db, const uint16_t (*cards)[4], int trump, int leader, int target,
                uint8_t *known);
  int (*decide52)(const sg_db *db, const uint64_t *hands, int order, int trump, int leader,
                  int target, uint8_t *known);
  size_t (*values)(const sg_db *db, const sg_ending *endings, size_t n, int8_t *tricks);
  int (*matter)(const sg_db *db, const uint16_t (*cards)[4], int trump, int leader, uint8_t *known,
                double *share);
} sg_api;

static sg_db *sg_absent_open(const char *path, int max_cards, int flags, char *error, size_t room) {
  static const char text[] = "libsetrograde is not installed";
  size_t length = sizeof text - 1;
  (void)path, (void)max_cards, (void)flags;
  if (error && room) {
    if (length > room - 1) length = room - 1;
    memcpy(error, text, length);
    error[length] = 0;
  }
  return 0;
}
static sg_db *sg_absent_open_memory(const void *const *levels, const size_t *sizes, size_t n,
                                    char *error, size_t room) {
  (void)levels, (void)sizes, (void)n;
  return sg_absent_open(0, 0, 0, error, room);
}
static void sg_absent_close(sg_db *db) { (void)db; }
static int sg_absent_cards(const sg_db *db) { return (void)db, 0; }
static int sg_absent_decide(const sg_db *db, const uint16_t (*cards)[4], int trump, int leader,
                            int target, uint8_t *known) {
  (void)db, (void)cards, (void)trump, (void)leader, (void)target, (void)known;
  return SG_OPEN;
}
static int sg_absent_decide52(const sg_db *db, const uint64_t *hands, int order, int trump,
                              int leader, int target, uint8_t *known) {
  (void)db, (void)hands, (void)order, (void)trump, (void)leader, (void)target, (void)known;
  return SG_OPEN;
}
static size_t sg_absent_values(const sg_db *db, const sg_ending *endings, size_t n,
                               int8_t *tricks) {
  (void)db, (void)endings;
  if (tricks && n) memset(tricks, SG_OPEN, n);
  return 0;
}
static int sg_absent_matter(const sg_db *db, const uint16_t (*cards)[4], int trump, int leader,
                            uint8_t *known, double *share) {
  (void)db, (void)cards, (void)trump, (void)leader, (void)known, (void)share;
  return SG_OPEN;
}

/* Fills `api`, and returns 1 if the library was loaded. `library` is its path, or NULL for the
   name that the system looks for. The library stays loaded. */
static int sg_load(sg_api *api, const char *library) {
  static const char *const names[] = {"sg_abi",   "sg_open",     "sg_open_memory", "sg_close",
                                      "sg_cards", "sg_decide",   "sg_decide52",    "sg_values",
                                      "sg_matter"};
  int (*abi)(void);
  void *found[9];
  size_t i;
#ifdef _WIN32
  HMODULE module = LoadLibraryA(library ? library : "setrograde.dll");
#elif defined __APPLE__
  void *module = dlopen(library ? library : "libsetrograde.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *module = dlopen(library ? library : "libsetrograde.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  api->open = sg_absent_open;
  api->open_memory = sg_absent_open_memory;
  api->close = sg_absent_close;
  api->cards = sg_absent_cards;
  api->decide = sg_absent_decide;
  api->decide52 = sg_absent_decide52;
  api->values = sg_absent_values;
  api->matter = sg_absent_matter;
  if (!module) return 0;
  for (i = 0; i < sizeof names / sizeof *names; i++) {
#ifdef _WIN32
    FARPROC function = GetProcAddress(module, names[i]);
#else
    void *function = dlsym(module, names[i]);
#endif
    if (!function) return 0;
    /* Copied as bytes: C knows no cast between pointers to data and to functions. */
    memcpy(&found[i], &function, sizeof found[i]);
  }
  memcpy(&abi, &found[0], sizeof abi);
  if (abi() != SG_ABI) return 0;
  memcpy(&api->open, &found[1], sizeof api->open);
  memcpy(&api->open_memory, &found[2], sizeof api->open_memory);
  memcpy(&api->close, &found[3], sizeof api->close);
  memcpy(&api->cards, &found[4], sizeof api->cards);
  memcpy(&api->decide, &found[5], sizeof api->decide);
  memcpy(&api->decide52, &found[6], sizeof api->decide52);
  memcpy(&api->values, &found[7], sizeof api->values);
  memcpy(&api->matter, &found[8], sizeof api->matter);
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif
