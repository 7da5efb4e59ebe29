//! Opens and probes setrograde endgame databases
