// Package client connects a program to a server of board games.
//
// A [Client] is a connection that comes back when it is lost. It sends messages of
// [gamebots/hexproto/wire] with Call and passes all others to its [Handler];
// docs/hexproto.md describes them.
package client
