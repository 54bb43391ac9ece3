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
	// Out is a terminal that understands the escape sequences of ECMA-48, or nil for no line.
	Out io.Writer
	// Name returns the name of a position in a hand.
	Name func(hand uint32, position int) string
}

// Act returns the action of the player. When the context ends it returns at once, with the cause as the error; the
// player may then go on in the background.
func (t *Thinking) Act(ctx context.Context, m *acpc.MatchState) (acpc.Action, error) {
	if t.Out != nil {
		fmt.Fprintf(t.Out, "  %s is thinking …", t.Name(m.HandID, m.Viewer))
		defer fmt.Fprint(t.Out, "\r\x1b[K") // erases the line
	}
	state := *m // a decision that is given up still reads it
	return parallel.Await(ctx, func() (acpc.Action, error) { return t.Player.Act(ctx, &state) })
}
