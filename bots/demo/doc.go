// Package demo shows a newcomer what the program does, in less than a minute. It trains strategies for small poker
// games, lets bots play matches over TCP, tells what it does, and draws the results.
package demo
