// Package syntax scans the text formats of games: Gambit's .nfg and .efg, and lrsnash's
// input. A [Scanner] splits a text into tokens, and its errors name file, line and
// column. Numbers are exact fractions of bounded size.
package syntax
