// The database for a hooked solver: opened once, when the solver is loaded.
//
// SETROGRADE_LIBRARY names libsetrograde, SETROGRADE_DB the database, SETROGRADE_READS the flag of
// sg_open, 1 if it is not set: questions wait for the disk. Without a library or a database, the
// solver answers as it did before.
#pragma once

#include <cstdlib>

#include "setrograde_load.h"

struct SetrogradeHook {
  sg_api sg;
  sg_db *db = nullptr;
  int cards = 0;  // asked with so many cards left, or fewer

  SetrogradeHook() {
    if (sg_load(&sg, std::getenv("SETROGRADE_LIBRARY"))) {
      const char *reads = std::getenv("SETROGRADE_READS");
      db = sg.open(nullptr, 0, reads ? std::atoi(reads) : SG_WAIT, nullptr, 0);
      cards = sg.cards(db);
    }
  }
};

static const SetrogradeHook setrograde;
