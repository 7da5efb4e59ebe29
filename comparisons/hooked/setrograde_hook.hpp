// The database for a hooked solver: opened once, when the solver is loaded.
//
// SETROGRADE_LIBRARY names libsetrograde, SETROGRADE_DB the database. Without either, the solver
// answers as it did before.
#pragma once

#include <cstdlib>

#include "setrograde_load.h"

struct SetrogradeHook {
  sg_api sg;
  sg_db *db = nullptr;
  int cards = 0;  // asked with so many cards left, or fewer

  SetrogradeHook() {
    if (sg_load(&sg, std::getenv("SETROGRADE_LIBRARY"))) {
      db = sg.open(nullptr, 0, SG_WAIT, nullptr, 0);
      cards = sg.cards(db);
    }
  }
};

static const SetrogradeHook setrograde;
