package terminal

import (
	"fmt"
	"io"

	"gamebots/acpc"
)

// Thinking is a player whose decisions take a while. Until it has decided, a line says that it
// thinks. It is used by one goroutine at a time.
type Thinking struct {
	Player acpc.Player
	// Out is a terminal that understands the escape sequences of ECMA-48.
	Out io.Writer
	// Name returns the name of a position in a hand.
	Name func(hand uint32, position int) string
}

// Act returns the action of the player.
func (t *Thinking) Act(m *acpc.MatchState) (acpc.Action, error) {
	fmt.Fprintf(t.Out, "  %s is thinking …", t.Name(m.HandID, m.Viewer))
	defer fmt.Fprint(t.Out, "\r\x1b[K") // erases the line
	return t.Player.Act(m)
}
