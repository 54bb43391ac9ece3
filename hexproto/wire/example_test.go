package wire_test

import (
	"fmt"

	"gamebots/hexproto/wire"
)

// A frame is a message as JSON, with its type and the id of a request.
func Example() {
	frame, err := wire.Encode(7, &wire.Play{Game: "g1", Turn: 0, Move: "e5"})
	fmt.Println(string(frame), err)

	id, m, err := wire.FromClient.Decode(frame)
	fmt.Println(id, m.(*wire.Play).Move, err)

	_, _, err = wire.FromServer.Decode(frame)
	fmt.Println(err)
	// Output:
	// {"type":"play","id":7,"game":"g1","turn":0,"move":"e5"} <nil>
	// 7 e5 <nil>
	// unknown type "play"
}
