// Package submission makes the folder that the Annual Computer Poker Competition
// takes, and checks it by the competition's rules before it is sent.
//
// An [Entry] is what goes into the folder: the program, the strategy, the settings,
// startme.sh and a README. Write makes a folder that is not there yet, whole or not
// at all.
//
// A [Check] plays the folder's bot by its startme.sh, from another folder and with
// nothing in the environment that helps it, against players by chance, over TCP
// and with the competition's times. It returns a [Verdict]: a [Finding] for each
// rule. The rules are those of the competition's own validation: matches of 3000
// hands of two players or 1000 of three, of the seeds 0, 1, 2 and so on, 12,000
// hands in all, no warning of the dealer, no process that stays when its match is
// over, and no loss.
//
// Memory is measured on Linux only.
package submission
