//! Builds and verifies setrograde endgame databases
