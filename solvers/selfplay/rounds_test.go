package selfplay

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gamebots/solvers/hexnet"
)

// generations are settings with generations of two steps.
func generations() Settings {
	s := small
	s.Sides, s.Games, s.Generation = []int{3}, 12, 2
	return s
}

// elsewhere plays games in parts of different sizes, the last part first.
func elsewhere(n *hexnet.Net, r *Rounds) ([]Progress, error) {
	all := make([]Progress, len(r.Games))
	for to := len(r.Games); to > 0; {
		from := max(0, to-2-to/3)
		if from == 1 {
			from = 0
		}
		p, err := NewPlayer(r.Side, n, to-from, Options{Threads: 1})
		if err != nil {
			return nil, err
		}
		part, err := p.Play(context.Background(), n, &Rounds{r.Side, r.Rounds, r.Games[from:to]})
		if err != nil {
			return nil, err
		}
		copy(all[from:], part)
		to = from
	}
	return all, nil
}

// Generations have the same bytes wherever their games are played, and from any step on.
func TestGenerations(t *testing.T) {
	begin := func(o Options) *Training {
		training, err := New(generations(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { training.Close() })
		return training
	}
	here, there := Options{Threads: 2}, Options{Threads: 1, Elsewhere: elsewhere}
	want := begin(here)
	const steps = 5
	var saved [][]byte
	for range steps {
		saved = append(saved, state(t, want))
		step(t, want, 1)
	}
	if end := state(t, want); want.Games() == 0 || bytes.Equal(end, saved[0]) {
		t.Fatal("no games")
	}
	far := begin(there)
	for i := range saved {
		if !bytes.Equal(state(t, far), saved[i]) {
			t.Fatalf("games played elsewhere differ after %d steps", i)
		}
		step(t, far, 1)
	}
	for i, from := range saved[1:] {
		i++
		for _, o := range []Options{here, there} {
			resumed := begin(o)
			if err := resumed.ReadState(bytes.NewReader(from)); err != nil {
				t.Fatal(err)
			}
			step(t, resumed, steps-i)
			if !bytes.Equal(state(t, resumed), state(t, want)) {
				t.Errorf("resumed after %d steps, elsewhere %t: other bytes", i, o.Elsewhere != nil)
			}
		}
	}
}

// A training that is closed does not play the games of its next generation to their end.
func TestClose(t *testing.T) {
	training, err := New(generations(), Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	step(t, training, 1)
	n, here := training.plays, training.pools[0].here
	if err := training.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Play(t.Context(), n, &Rounds{3, 1, make([]GameState, 4)}); !errors.Is(err, errClosed) {
		t.Errorf("error %v after the end", err)
	}
}

// A training learns only from games that can be, whatever comes from elsewhere, and an error there ends its step.
func TestFalseProgress(t *testing.T) {
	lost := errors.New("lost")
	for name, spoil := range map[string]func(all []Progress) ([]Progress, error){
		"games, not":      func(all []Progress) ([]Progress, error) { return all[1:], nil },
		"lost":            func([]Progress) ([]Progress, error) { return nil, lost },
		"game 0: ":        func(all []Progress) ([]Progress, error) { all[0].Moves = []uint16{9999}; return all, nil },
		"ended in round ": func(all []Progress) ([]Progress, error) { return all, endIn(all, 9) },
		"of 3 moves": func(all []Progress) ([]Progress, error) {
			all[0].Moves, all[0].Record = []uint16{0, 1, 2}, []Recorded{{Ply: 4, Policy: make([]uint16, 19)}}
			return all, nil
		},
		"has not ended": func(all []Progress) ([]Progress, error) {
			all[0].Ended = []Ended{{Round: 0, Moves: []uint16{0, 1}}}
			return all, nil
		},
	} {
		training, err := New(generations(), Options{Threads: 1,
			Elsewhere: func(n *hexnet.Net, r *Rounds) ([]Progress, error) {
				all, err := elsewhere(n, r)
				if err != nil {
					return nil, err
				}
				return spoil(all)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := training.Step(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: error %v", name, err)
		}
		if err := training.Close(); err != nil {
			t.Error(err)
		}
	}
}

// endIn has a game end in a round.
func endIn(all []Progress, round int) error {
	i := slices.IndexFunc(all, func(p Progress) bool { return len(p.Ended) > 0 })
	if i >= 0 {
		all[i].Ended[0].Round = round
	} else {
		all[0].Ended = []Ended{{Round: round}}
	}
	return nil
}
