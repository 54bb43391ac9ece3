package table

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/hexproto/game"
)

// A match of a record that others have written deals the hands of the record. Whoever looks at it sees all cards that
// are known.

var _ game.Reader = Rules{}

// The lines by which a record of PHH and a dealer's log are known.
var (
	phhLine = regexp.MustCompile(`(?m)^\s*variant\s*=`)
	logLine = regexp.MustCompile(`(?m)^STATE:|^` + acpc.LogTitle)
)

// Reads implements [game.Reader].
func (Rules) Reads(text string) bool { return phhLine.MatchString(text) || logLine.MatchString(text) }

// Read implements [game.Reader]: hands of PHH or of a dealer's log, in each of which the players are one position on.
func (r Rules) Read(text string) (*game.Foreign, error) {
	g := r.Game
	var in interface{ Next() (*history.Hand, error) } = history.NewPHHReader(strings.NewReader(text), "record")
	titled := phhLine.MatchString(text)
	if !titled {
		first, _, _ := strings.Cut(text, "\n")
		var name string
		if _, name, _, _, titled = acpc.ParseLogTitle(strings.TrimSpace(first)); titled && name != g.Name {
			return nil, game.ErrOther
		}
		in = history.NewLogReader(strings.NewReader(text), "record", g)
	}
	m := r.match(Options{}, nil)
	f := &game.Foreign{Game: given{m}, Resigned: -1}
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !titled {
			return nil, game.ErrOther // or a broken hand of it
		} else if err != nil {
			return nil, errors.New(strings.Replace(err.Error(), "record:", "line ", 1))
		}
		if h, err = h.In(g); err != nil {
			return nil, game.ErrOther
		}
		if err := m.give(h); err != nil {
			return nil, err
		}
		for _, step := range h.Steps() {
			f.Moves = append(f.Moves, step.Action.String())
		}
	}
	names := m.given[0].Names
	f.Players, f.Options = names, m.Options()
	f.Record = fmt.Sprintf("%srecord %s %d %s\n", acpc.LogTitle, g.Name, len(m.given), acpc.NoSeed)
	for h := range m.given {
		f.Record += string(m.given[h].AppendLog(nil))
	}
	m.deal()
	return f, nil
}

// give adds a hand to those that are dealt.
func (m *match) give(h *history.Hand) error {
	n := m.game.NumPlayers
	at := len(m.given)
	if at == MaxHands {
		return fmt.Errorf("a record has at most %d hands here: leave some out", MaxHands)
	}
	names, most, sum := make([]string, n), float64(n-1)*float64(h.MaxSpent()), 0.
	for p := range names {
		if names[p] = h.Names[p]; names[p] == fmt.Sprint("p", p+1) { // PHH without names
			names[p] = fmt.Sprint("p", (p+at)%n+1)
		}
		if at > 0 && names[p] != m.given[0].Names[(p+at)%n] {
			return fmt.Errorf("hand %d: %s is not where the players would be, each one position on from hand to hand",
				at+1, names[p])
		}
		// The cards alone do not tell: values may be expectations, or less by a rake.
		v := h.Values[p]
		if v < -float64(h.Spent(p)) || v > most || v > 0 && h.Folded(p) {
			return fmt.Errorf("hand %d: %s cannot have won %g chips", at+1, names[p], v)
		}
		sum += v
	}
	if sum > .01 { // expectations are rounded
		return fmt.Errorf("hand %d: all together cannot have won %g chips", at+1, sum)
	}
	own := &history.Hand{State: h.State, Hidden: h.Hidden, Names: names, Values: h.Values}
	own.HandID = uint32(at)
	m.given = append(m.given, own)
	m.options.Hands = len(m.given)
	return nil
}

// given is a match of a record.
type given struct{ *match }

// Restart implements [game.Restarter].
func (g given) Restart() game.Game {
	again := Rules{Game: g.game, Advisors: g.advisors}.match(g.options, nil)
	again.given = g.match.given
	again.deal()
	return given{again}
}

// values returns what each position has won in a hand that is over.
func (m *match) values(s *acpc.State) []float64 {
	if m.given != nil {
		return m.given[s.HandID].Values
	}
	values := s.Values()
	return slices.Clone(values[:m.game.NumPlayers])
}
