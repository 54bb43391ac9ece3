// Package proc runs other programs: engines that speak GTP as bots ([Bot], one process
// for each game), and any program in a process group of its own ([Group], [Process]).
// [Watch] measures a player by the messages of its dealer: the time that it takes, and what
// it does against the rules.
// Engine is the other direction, a bot of this module as an engine that speaks GTP.
//
// A Bot tells its engine the size of the board and the moves so far, and then asks it
// for moves, each with the time left on its clock. If a position does not follow from
// the last one, as after a takeback, it sets up the board again in the same process.
//
// A process ends in steps, each with a time limit: its input ends, SIGTERM to its
// process group, SIGKILL to the group, so that its children end too. No wait for an
// engine is without a limit.
package proc
