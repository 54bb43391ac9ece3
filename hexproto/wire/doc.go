// Package wire has the messages of hexproto, version 1, which clients and servers of
// board games exchange as JSON over a websocket. docs/hexproto.md is the specification,
// with an example of each message; docs/hexproto.schema.json is a JSON Schema of it.
//
//   - A [Message] is one of the structs here. [FromClient] and [FromServer] have the
//     messages of each direction by their "type".
//   - [Encode] and [Direction.Decode] convert between messages and frames.
//   - A [Game] is the full state of a game. A client that has missed messages needs
//     nothing else.
//
// A frame is one JSON object. Unknown fields are ignored. An unknown type, or a field
// of a wrong kind, is an error that is returned to the sender; a whole number may be
// written 8.0. Times are whole milliseconds.
package wire
