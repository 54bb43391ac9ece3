// Package submission makes a folder for the Annual Computer Poker Competition, and checks
// it by the competition's rules.
//
// An [Entry] has the contents of the folder: the program, the strategy, the settings,
// startme.sh and a README. Write creates the folder, whole or not at all.
//
// A [Check] starts the folder's bot with startme.sh, from another working directory and
// with a minimal environment. The bot plays random players over TCP, under the
// competition's time limits. Run returns a [Verdict] with a [Finding] for each rule. The
// rules are those of the competition's own validation: 12,000 hands, in matches of 3000
// hands for two players or 1000 for three, with the seeds 0, 1, 2 and so on; no warning
// from the dealer; no process that outlives its match; and no loss.
//
// Memory is measured on Linux only.
package submission
