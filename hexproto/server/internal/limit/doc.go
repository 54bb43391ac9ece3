// Package limit bounds what clients can use of a server: connections ([Listener],
// [Connections]), the time to read a response ([Response]), expensive work ([Turns]), amounts over
// time ([Flow]) and guesses of secrets ([Guesses]). [Client], [Networks] and [Forwarded] tell
// clients apart by their
// addresses.
package limit
