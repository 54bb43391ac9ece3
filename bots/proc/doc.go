// Package proc makes bots of other programs: engines that speak GTP, one process
// for each game.
//
// An engine is told the board's size and the moves so far, then it is asked for
// moves; before each it is told what is left on its clock. A position that does
// not follow from the last one, after a takeback, is set up anew in the same
// process.
//
// An engine ends in steps, each with its time: quit and the end of its input,
// SIGTERM to its process group, SIGKILL to it, so that what it started ends too.
// Nothing waits for an engine without a limit.
package proc
