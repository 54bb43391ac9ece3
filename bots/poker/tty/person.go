package tty

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/acpc"
	"gamebots/solvers/policy/browse"
)

// ErrQuit is the error of a person who ends the match.
var ErrQuit = errors.New("the player left")

// Person is a person at a terminal. It is used by one goroutine at a time.
type Person struct {
	// ReadLine returns the next line that the person types, and false when there is none:
	// the person leaves then.
	ReadLine func() (line string, ok bool)
	// Out gets the table and the questions.
	Out io.Writer
	// Colour draws hearts and diamonds in red.
	Colour bool
	// Name returns the name of a position in a hand.
	Name func(hand uint32, position int) string

	begun bool   // a hand
	hand  uint32 // the last one
	told  int    // actions of it
}

// Act draws the table and asks for an action until a legal one is typed.
func (p *Person) Act(_ context.Context, m *acpc.MatchState) (acpc.Action, error) {
	p.tell(&m.State)
	p.draw(m)
	for {
		fmt.Fprintf(p.Out, "%s: ", question(&m.State))
		line, ok := p.ReadLine()
		if !ok {
			fmt.Fprintln(p.Out)
			return acpc.Action{}, ErrQuit
		}
		switch text := strings.TrimSpace(line); {
		case browse.Quits(text):
			return acpc.Action{}, ErrQuit
		case text == "?":
			fmt.Fprintln(p.Out, acpc.TurnHelp+"\n  q leaves")
		default:
			turn := m.State.Turn()
			choice, err := turn.Read(text)
			a := m.State.Action(choice)
			if err = cmp.Or(err, m.State.Check(a)); err == nil {
				return a, nil
			}
			fmt.Fprintln(p.Out, err)
		}
	}
}

// question lists the legal actions.
func question(s *acpc.State) string {
	var items []string
	turn := s.Turn()
	for _, a := range []acpc.ActionType{acpc.Fold, acpc.Call} {
		action := acpc.Action{Type: a}
		if s.Check(action) == nil {
			items = append(items, turn.Text(s.Choice(action))+" "+s.Describe(action))
		}
	}
	if turn.Most > 0 {
		raise := s.Describe(s.Action(acpc.Choice{Type: acpc.Raise, To: turn.Least}))
		if turn.Least < turn.Most {
			raise = fmt.Sprintf("N %s to %d, a all-in", raise, turn.Most)
		}
		items = append(items, "r "+raise)
	}
	return strings.Join(items, ", ")
}

// HandOver shows the person at a position how a hand ended.
func (p *Person) HandOver(s *acpc.State, position int) {
	p.tell(s)
	m := s.View(position)
	p.draw(&m)
	switch won := s.Value(position); {
	case won > 0:
		fmt.Fprintf(p.Out, "you win %s\n", acpc.AppendValue(nil, won))
	case won < 0:
		fmt.Fprintf(p.Out, "you lose %s\n", acpc.AppendValue(nil, -won))
	default:
		var winners []string
		for other := range s.Game().NumPlayers {
			if value := s.Value(other); value > 0 {
				name := p.Name(s.HandID, other)
				winners = append(winners, fmt.Sprintf("%s wins %s", name, acpc.AppendValue(nil, value)))
			}
		}
		fmt.Fprintln(p.Out, cmp.Or(strings.Join(winners, ", "), "nobody wins"))
	}
}

// tell prints the actions since the last time.
func (p *Person) tell(s *acpc.State) {
	if !p.begun || p.hand != s.HandID {
		p.begun, p.hand, p.told = true, s.HandID, 0
		fmt.Fprintf(p.Out, "\nhand %d\n", s.HandID+1)
	}
	now := s.Game().NewState(s.HandID)
	played := 0
	for r := range s.Round() + 1 {
		for _, a := range s.Actions(r) {
			if played++; played > p.told {
				fmt.Fprintf(p.Out, "  %s: %s\n", p.Name(s.HandID, now.Actor()), now.Describe(a))
			}
			now.Apply(a)
		}
	}
	p.told = played
}
