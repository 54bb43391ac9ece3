// Package limit bounds what clients can use of a server: connections ([Listener]),
// expensive work ([Turns]) and guesses of secrets ([Guesses]).
package limit
