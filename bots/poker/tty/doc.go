// Package tty lets a person play poker at a terminal.
//
// A [Person] is an [acpc.Player] that draws the table as its seat sees it and reads an action a line. [Thinking] says
// that another player takes a while. A [Match] is a person's match against bots: it deals, reviews the person's
// decisions by a strategy, keeps the hands as a dealer's log, and estimates the winnings without luck. [Walk] leads a
// person through a strategy.
package tty
