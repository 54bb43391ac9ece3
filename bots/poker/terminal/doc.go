// Package terminal lets a person play poker at a terminal.
//
// A [Person] is an [acpc.Player] that draws the table as its seat sees it and reads an action
// a line. It is told how a hand ended by [Person.HandOver].
package terminal
