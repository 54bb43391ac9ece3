// Package submission makes a folder for the Annual Computer Poker Competition, and checks
// it by the competition's rules.
//
// An [Entry] has the contents of the folder: the program, the strategy, the settings,
// startme.sh and a README. Write creates the folder, whole or not at all.
//
// A [Check] starts the folder's bot by its startme.sh, from another working directory and
// with an empty environment, against random players, over TCP and with the competition's
// times. It returns a [Verdict]: a [Finding] for each
// rule. The rules are those of the competition's own validation: matches of 3000
// hands of two players or 1000 of three, of the seeds 0, 1, 2 and so on, 12,000
// hands in all, no warning of the dealer, no process that stays when its match is
// over, and no loss.
//
// Memory is measured on Linux only.
package submission
