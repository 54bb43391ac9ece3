// Package usererr marks errors for the people who see them: errors of the command
// line, and errors that come with advice, such as the word that a misspelt one was
// meant to be.
//
// Packages of the library return typed errors of their own. An error that knows
// its remedy has a method Hint() string, which [Hint] finds wherever the error is
// wrapped; WithHint adds one to any error.
//
// Names that people have given to players, strategies or files are written by [Printed]
// and [Names], so that a reader can tell them apart, and by [Safe] so that a terminal
// shows nothing but text.
package usererr
