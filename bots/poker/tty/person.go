package tty

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gamebots/acpc"
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
		switch text := strings.TrimSpace(line); text {
		case "q":
			return acpc.Action{}, ErrQuit
		case "?":
			fmt.Fprint(p.Out, help)
		default:
			a, err := parse(&m.State, text)
			if err == nil {
				return a, nil
			}
			fmt.Fprintln(p.Out, err)
		}
	}
}

const help = `  f fold, c check or call, r bet or raise, q leave
  without a limit: r 300 bets 300 chips or raises to 300, counted in this round as all amounts here, a goes all-in
`

// question lists the legal actions.
func question(s *acpc.State) string {
	var items []string
	for _, a := range []acpc.ActionType{acpc.Fold, acpc.Call} {
		action := acpc.Action{Type: a}
		if s.Check(action) == nil {
			items = append(items, action.String()+" "+s.Describe(action))
		}
	}
	if low, high, ok := s.RaiseBounds(); ok {
		raise := acpc.Action{Type: acpc.Raise, Size: low}
		switch {
		case low == high:
			items = append(items, "r "+s.Describe(raise))
		default:
			items = append(items, fmt.Sprintf("r N %s to %d", s.Describe(raise), s.InRound(high)), "a all-in")
		}
	}
	return strings.Join(items, ", ")
}

// parse reads an action.
func parse(s *acpc.State, text string) (acpc.Action, error) {
	low, high, canRaise := s.RaiseBounds()
	text = strings.ToLower(strings.ReplaceAll(text, " ", ""))
	var a acpc.Action
	switch {
	case text == "f":
		a.Type = acpc.Fold
	case text == "c" || text == "k":
		a.Type = acpc.Call
	case !canRaise && text != "" && strings.ContainsRune("ar", rune(text[0])):
		return a, errors.New("no raise is allowed now")
	case text == "a" && s.Game().Betting == acpc.NoLimit:
		a = acpc.Action{Type: acpc.Raise, Size: high}
	case text == "r" && low == high:
		a = acpc.Action{Type: acpc.Raise, Size: low}
	case strings.HasPrefix(text, "r") && s.Game().Betting == acpc.Limit:
		return a, errors.New("the game sets the amount: r alone")
	case strings.HasPrefix(text, "r"):
		to, err := strconv.ParseInt(text[1:], 10, 32)
		if err != nil {
			return a, fmt.Errorf("%q: want r and the chips to bet or raise to in this round", text)
		}
		least, most := s.InRound(low), s.InRound(high)
		if to < int64(least) || to > int64(most) {
			return a, fmt.Errorf("%d is not from %d to %d", to, least, most)
		}
		a = acpc.Action{Type: acpc.Raise, Size: low - least + int32(to)}
	default:
		return a, fmt.Errorf("%q is not an action; ? lists them", text)
	}
	return a, s.Check(a)
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
		fmt.Fprintln(p.Out, "nobody wins")
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
