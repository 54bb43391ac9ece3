// Package client connects a program to a server of board games.
//
// A [Client] is a connection that reconnects when it is lost. Call sends a message of
// [gamebots/hexproto/wire] and returns its answer; all other messages go to the
// client's [Handler]. docs/hexproto.md describes the protocol.
//
// docs/api.txt lists the names of this package that are kept.
package client
