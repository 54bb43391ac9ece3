package bench

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/resolve"

	"github.com/rs/zerolog"
)

// Bench solving-flops plays all betting of flops, with bets that the strategy does not have.
func TestSolvingFlops(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.Flop, []uint64{5}, 2, 2}
	rows := 0
	if err := w.run(t.Context(), nil, Deals{}, func(r Row) {
		if rows++; math.IsNaN(r.Value) {
			t.Errorf("%+v", r)
		}
	}); err != nil || rows != 2 {
		t.Errorf("%d rows, error %v", rows, err)
	}
}

// Rivers that are solved win from the strategy itself.
func TestSolving(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{60}, 3, 1}
	values := map[string]float64{}
	if err := w.run(t.Context(), nil, Deals{}, func(r Row) {
		values[r.Metric] = r.Value
	}); err != nil {
		t.Fatal(err)
	}
	if values["won"] <= 0 {
		t.Errorf("%v", values)
	}
}

// The means of parts of the deals are those of all.
func TestSolvingParts(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{2}, 4, 1}
	won := func(deals Deals) (row Row) {
		if err := w.run(t.Context(), nil, deals, func(r Row) {
			if r.Metric == "won" {
				row = r
			}
		}); err != nil {
			t.Fatal(err)
		}
		return row
	}
	all, first, rest := won(Deals{}), won(Deals{1, 3}), won(Deals{4, 4})
	if want := (3*first.Value + rest.Value) / 4; all.Value == 0 || math.Abs(all.Value-want) > 1e-9*math.Abs(want) {
		t.Errorf("all deals %g, by parts %g", all.Value, want)
	}
	if !strings.HasSuffix(rest.Case, "deals 4-4") || !strings.HasSuffix(first.Case, "3 deals") {
		t.Errorf("%q, %q", first.Case, rest.Case)
	}
}

// An interruption leaves the figure of the deals played so far, which the log counts.
func TestSolvingInterrupted(t *testing.T) {
	t.Chdir("../../../..")
	ctx, stop := context.WithCancel(t.Context())
	log := zerolog.New(writer(func(line []byte) {
		if strings.Contains(string(line), `"message":"played"`) {
			stop()
		}
	}))
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{2, 3}, 1 << 20, 1} // those would take hours
	var rows []Row
	err := w.run(log.WithContext(ctx), nil, Deals{}, func(r Row) { rows = append(rows, r) })
	if !errors.Is(err, context.Canceled) || len(rows) != 2 || !strings.HasSuffix(rows[0].Case, " deals") {
		t.Errorf("%+v, error %v", rows, err)
	}
}

// writer writes by a function.
type writer func(line []byte)

func (w writer) Write(line []byte) (int, error) {
	w(line)
	return len(line), nil
}

// counted is a player that counts its calls, and returns what it overwrites at the next one.
type counted struct {
	calls int
	c     belief.Choices
}

func (p *counted) Choices(context.Context, *acpc.State) (belief.Choices, error) {
	p.calls++
	p.c.Row(acpc.Action{Type: acpc.Call}, 1)[0] = float64(p.calls)
	return p.c, nil
}

// A flop is solved once for each betting, however many turns and rivers are dealt.
func TestFlopsAreKept(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState(0)
	for range 2 {
		s.Apply(acpc.Action{Type: acpc.Call})
	}
	flop, rest := &counted{}, &counted{}
	p := onFlops{flop, rest, map[string]belief.Choices{}}
	for range 3 {
		checked := s
		for want := 1.0; checked.Round() == resolve.Flop; want++ {
			c, err := p.Choices(t.Context(), &checked)
			if err != nil || c.Probability[0][0] != want {
				t.Errorf("%v, error %v, want %g", c, err, want)
			}
			checked.Apply(c.Actions[0])
		}
		if _, err := p.Choices(t.Context(), &checked); err != nil {
			t.Fatal(err)
		}
	}
	if flop.calls != 2 || rest.calls != 3 {
		t.Errorf("the flop is solved %d times and the turn %d", flop.calls, rest.calls)
	}
}
