// Package limit bounds what clients can use of a server: connections ([Listener]), the
// time to read a response ([Response]), expensive work ([Turns]) and guesses of secrets
// ([Guesses]). [Client] and [Forwarded] tell clients apart by their addresses.
package limit
