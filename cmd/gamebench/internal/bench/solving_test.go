package bench

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gamebots/solvers/resolve"

	"github.com/rs/zerolog"
)

// Bench solving-flops plays all betting of flops, with bets that the strategy does not have.
func TestSolvingFlops(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.Flop, []uint64{5}, 2}
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
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{60}, 3}
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
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{2}, 4}
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
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{2, 3}, 1 << 20} // those would take hours
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
