// Package files recognizes the files of this program, and checks each as the program reads it.
//
// [Check] tries the kinds of files in turn: settings, snakes, strategies, networks, checkpoints, buckets, games of
// Gambit and lrsnash, records of Havannah, and game definitions. What it finds is a [Finding]: a line about the file,
// what the program understood, and warnings. It writes itself for people or as JSON.
package files
