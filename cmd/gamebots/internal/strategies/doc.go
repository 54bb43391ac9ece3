// Package strategies opens the poker strategies that commands are given. It shows progress, ends at an
// interruption, and says in hints what to do about a file that is missing or does not fit.
//
// [File] finds a strategy by the name of a shipped game or by its path. [Open] opens one that is whole,
// [OpenPart] one that may lack rounds, and [OpenSolved] one for a bot that solves the missing rounds in
// play, as [SolvingFlags] say.
package strategies
