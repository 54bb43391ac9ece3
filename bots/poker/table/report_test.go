package table

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
	"gamebots/hexproto/wire"
)

// caller is an advisor that always calls. It knows that another action costs a chip, and
// gives each hand without luck the value of its number.
type caller struct{}

func (caller) Advise(s *acpc.State) ([]Advice, error) {
	call, other := 0.0, -1.0
	advice := []Advice{{Move: "c", Share: 1, Value: &call}, {Move: "r", Value: &other}, {Move: "f", Value: &other}}
	return advice, nil
}

func (caller) Fair(s *acpc.State, _ int) (*float64, bool) {
	chips := float64(s.HandID)
	return &chips, false
}

// played returns a match of three hands in which the first seat bets at its first decision,
// and everybody calls otherwise, and its report for a seat at a table with two players.
func played(t *testing.T, seat int, opponent string) (r Report, ok bool) {
	t.Helper()
	rules := rulesOf(t, "leduc")
	rules.Advisors = map[string]Advisor{"bot": caller{}}
	m := start(t, rules, 3, 1)
	for !m.over() {
		move := "c"
		if m.turn == 0 {
			move = "r"
		}
		moves := make([]string, 2)
		moves[slices.Index(m.ToMove(), true)] = move
		if err := m.Play(moves); err != nil {
			t.Fatal(err)
		}
	}
	seats := []wire.Player{{Name: "ada"}, {Name: opponent}}
	text, ok := m.Record("report", &wire.Game{You: seat, Seats: seats})
	if ok {
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
	}
	if seat == 0 && ok && r.Won != m.won[0] {
		t.Errorf("won %g, and the match says %g", r.Won, m.won[0])
	}
	return r, ok
}

func TestReport(t *testing.T) {
	r, ok := played(t, 0, "bot")
	if !ok || r.By != "bot" || len(r.Hands) != 3 || r.Lost != 1000 || r.Partial {
		t.Fatalf("%+v", r)
	}
	// In hand 0 ada acts first in both rounds, in hand 1 second.
	for h, want := range [][]int{{0, 2}, {1, 3}, {0, 2}} {
		var actions []int
		for _, d := range r.Hands[h].Decisions {
			actions = append(actions, d.Action)
		}
		if !slices.Equal(actions, want) {
			t.Errorf("decisions of hand %d: %v, want %v", h, actions, want)
		}
	}
	if d := r.Hands[0].Decisions[1]; d.Name != "check" || d.Round != 1 {
		t.Errorf("%+v", d)
	}
	if d := r.Hands[0].Decisions[0]; d.Move != "r" || d.Name != "bet 2" || d.Round != 0 || *d.Lost != 1000 ||
		len(d.Advised) != 3 {
		t.Errorf("%+v", d)
	}
	if r.Fair == nil || *r.Fair != 3 || math.Abs(r.FairError-3*4.303/math.Sqrt(3)) > 1e-2 {
		t.Errorf("without luck %v ± %g", r.Fair, r.FairError)
	}
	// Against another opponent luck is unknown, and spectators have no report.
	if r, ok := played(t, 0, "eve"); !ok || r.By != "bot" || r.Fair != nil || r.Lost != 1000 {
		t.Errorf("%+v, %v", r, ok)
	}
	if r, ok := played(t, -1, "bot"); ok {
		t.Errorf("a spectator gets %+v", r)
	}
}

// slow is a caller that takes its time to say something for the first time.
type slow struct {
	caller
	said map[string]bool
}

func (a slow) think(what string) {
	if !a.said[what] {
		time.Sleep(400 * time.Millisecond)
		a.said[what] = true
	}
}

func (a slow) Advise(s *acpc.State) ([]Advice, error) {
	a.think(fmt.Sprint("advice", s.HandID, string(s.AppendBetting(nil))))
	return a.caller.Advise(s)
}

func (a slow) Fair(s *acpc.State, position int) (*float64, bool) {
	a.think(fmt.Sprint("fair", s.HandID))
	return a.caller.Fair(s, position)
}

// A report asks a slow advisor nothing more after a second, and the next ones go on.
func TestSlowReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := rulesOf(t, "leduc")
		rules.Advisors = map[string]Advisor{"bot": slow{said: map[string]bool{}}}
		m := start(t, rules, 3, 1)
		for !m.over() {
			moves := make([]string, 2)
			moves[slices.Index(m.ToMove(), true)] = "c"
			if err := m.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		about := &wire.Game{You: 0, Seats: []wire.Player{{Name: "ada"}, {Name: "bot"}}}
		// Each report has the two decisions of another hand, and its result without luck.
		for round, want := range []int{2, 4, 6} {
			began := time.Now()
			r, err := m.report(about)
			if err != nil {
				t.Fatal(err)
			}
			decisions, known := 0, 0
			for _, h := range r.Hands {
				decisions += len(h.Decisions)
				if h.Fair != nil {
					known++
				}
			}
			if took := time.Since(began); took > 1200*time.Millisecond || decisions != want ||
				r.Partial != (round < 2) || (r.Fair != nil) != (known == 3) {
				t.Errorf("report %d has %d decisions, want %d, and %d hands without luck: partial %v, after %v",
					round, decisions, want, known, r.Partial, took)
			}
		}
	})
}

// A game without blinds has no mb.
func TestLostWithoutBlinds(t *testing.T) {
	g := *rulesOf(t, "leduc").Game
	advised, _ := caller{}.Advise(nil)
	if x := lost(advised, "r", &g); x == nil || *x != 1000 {
		t.Errorf("lost %v", x)
	}
	g.Blind = [acpc.MaxPlayers]int32{}
	if x := lost(advised, "r", &g); x != nil {
		t.Errorf("lost %v", *x)
	}
}
