package tty

import (
	"context"
	"fmt"
	"io"

	"gamebots/acpc"
	"gamebots/internal/parallel"
)

// Thinking is a player whose decisions take a while. Until it has decided, a line says that it thinks. It is used by
// one goroutine at a time.
type Thinking struct {
	Player acpc.Player
	// Context gives up a decision when it ends, with its cause as the error. The player then goes on in the background.
	Context context.Context
	// Out is a terminal that understands the escape sequences of ECMA-48, or nil for no line.
	Out io.Writer
	// Name returns the name of a position in a hand.
	Name func(hand uint32, position int) string
}

// Act returns the action of the player.
func (t *Thinking) Act(m *acpc.MatchState) (acpc.Action, error) {
	if t.Out != nil {
		fmt.Fprintf(t.Out, "  %s is thinking …", t.Name(m.HandID, m.Viewer))
		defer fmt.Fprint(t.Out, "\r\x1b[K") // erases the line
	}
	state := *m // a decision that is given up still reads it
	return parallel.Await(t.Context, func() (acpc.Action, error) { return t.Player.Act(&state) })
}
