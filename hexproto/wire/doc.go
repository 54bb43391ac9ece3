// Package wire is hexproto, version 1: the messages that clients and servers of
// board games exchange, as JSON over a websocket. docs/hexproto.md is the
// specification, with an example of each; docs/hexproto.schema.json is the same
// as a JSON Schema.
//
//   - A Message is one of the structs here. FromClient and FromServer are the
//     messages of each direction by the name in their "type".
//   - Encode and Decode go between messages and frames.
//   - Game is a game as it stands, the only thing that a client needs to go on
//     after it missed anything.
//
// A frame is one JSON object. Fields that are not known are ignored; a type that
// is not known is an error to its sender, and so is a field of a wrong kind.
// Times are whole milliseconds.
package wire
