//go:build linux

package spot_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"gamebots/acpc/card"
	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// batchSpots are a turn and rivers of different trees, with a lock, rake and an offer.
func batchSpots(t testing.TB) []*spot.Spot {
	nines, _ := card.ParseSet("9d9c")
	river := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd,T9s", "99,A8s", 100, 300, "100", "50")
	raked := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd", "99,AKs", 100, 200, "50", "")
	raked.Rake = spot.Rake{Part: .05, Cap: 8}
	locked := spot.SpotOf(t, "2c3d7h8sTs", "AA,QhJh,QdJd", "99", 100, 100, "100", "")
	locked.Locks = []spot.Lock{{"b100", map[card.Set]map[string]float64{nines: {"f": .75, "c": .25}}}}
	offered := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd,T9s", "99,A8s", 100, 300, "100", "")
	offered.Offer = &spot.Offer{Player: 1, Values: map[card.Set]float64{nines: 20}, Known: .5}
	turn := spot.SpotOf(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5", "QQ,AsKs", 200, 300, "60", "")
	turn.Menu.Bets[1][2] = nil
	return []*spot.Spot{river, turn, raked, locked, offered}
}

// Spots that are solved together get the bits that each gets alone.
func TestBatch(t *testing.T) {
	spots := batchSpots(t)
	limits := func(i int) spot.Limits { return spot.Limits{Iterations: uint64(9 + i), Exploitability: 2} }
	for _, algorithm := range []string{"dcfr", "dcfr/16"} {
		for _, where := range []string{"cpu", "device"} {
			t.Run(algorithm+" "+where, func(t *testing.T) {
				name, half := strings.CutSuffix(algorithm, "/16")
				a, _ := cfr.AlgorithmByName(name)
				a.Quantized = half
				o := spot.Options{Algorithm: a, Threads: 2, Memory: 1 << 32}
				if where == "device" {
					device := ondevice.Of(cudatest.Open(t, "memory=200000000;shared=200000", "spot"))
					o.Device = func(*spot.Solver) (spot.Device, error) { return device, nil }
				}
				b, err := spot.NewBatch(spots, o)
				if err != nil {
					t.Fatal(err)
				}
				defer b.Close()
				if (b.DeviceBytes() > 0) != (where == "device") || b.Bytes() == 0 {
					t.Errorf("%d bytes on the device, %d beside it", b.DeviceBytes(), b.Bytes())
				}
				b.Step()
				got := make([]float64, len(spots))
				b.Solve(t.Context(), limits, func(i int, x float64) { got[i] = x })
				if err := b.Err(); err != nil {
					t.Fatal(err)
				}
				for i, s := range spots {
					alone := spot.SolverOf(t, s, algorithm, 1, 1)
					x := alone.Solve(t.Context(), limits(i), func(float64) {})
					if got[i] != x || b.Solvers[i].Iterations() != alone.Iterations() {
						t.Errorf("spot %d: exploitability %v after %d iterations, alone %v after %d", i, got[i],
							b.Solvers[i].Iterations(), x, alone.Iterations())
					}
					p, err := b.Solvers[i].Solution().At("")
					q, errAlone := alone.Solution().At("")
					if err != nil || errAlone != nil || !reflect.DeepEqual(p, q) {
						t.Errorf("spot %d: the root differs: %v, %v", i, err, errAlone)
					}
				}
			})
		}
	}
}

// Where the memory of a device is short, the rivers of one turn after the other are passed.
func TestBatchMemory(t *testing.T) {
	var spots []*spot.Spot
	for pot := range 3 {
		spots = append(spots, spot.SpotOf(t, "Td9d6hQh", "88,KsJs:0.5", "QQ,AsKs", 200+pot, 300, "60", ""))
	}
	device := cudatest.Open(t, "memory=200000000", "spot")
	batch := func(limit int64) (*spot.Batch, error) {
		return spot.NewBatch(spots, spot.Options{
			Algorithm: cfr.Algorithms[0], Memory: 1 << 32, DeviceMemory: limit,
			Device: func(*spot.Solver) (spot.Device, error) { return ondevice.Of(device), nil },
		})
	}
	solve := func(limit int64) *spot.Batch {
		b, err := batch(limit)
		if err != nil {
			t.Fatal(err)
		}
		b.Step()
		return b
	}
	free := solve(0)
	limit := free.Solvers[0].LeastDeviceBytes()
	short := solve(limit)
	if short.DeviceBytes() != limit || free.DeviceBytes() <= limit {
		t.Errorf("%d bytes with the least of %d, %d without a limit", short.DeviceBytes(), limit, free.DeviceBytes())
	}
	if _, err := batch(limit - 1); !errors.Is(err, spot.ErrDeviceMemory) {
		t.Errorf("with less than the least: %v", err)
	}
	for i, s := range spots {
		alone := spot.SolverOf(t, s, "dcfr", 1, 1)
		for _, line := range []string{"", "x x 2c", "x x 2c x"} {
			p, err := short.Solvers[i].Solution().At(line)
			q, errAlone := alone.Solution().At(line)
			if err != nil || errAlone != nil || !reflect.DeepEqual(p, q) {
				t.Errorf("spot %d: the point %q differs: %v, %v", i, line, err, errAlone)
			}
		}
	}
	if err := errors.Join(short.Close(), free.Close()); err != nil {
		t.Error(err)
	}
}

// A batch says which spot cannot be, and ends with its context.
func TestBatchErrors(t *testing.T) {
	spots := batchSpots(t)[:2]
	o := spot.Options{Algorithm: cfr.Algorithms[0], Memory: 1 << 32}
	for name, c := range map[string]struct {
		change func(o *spot.Options, s *spot.Spot)
		as     any
		says   string
	}{
		"pot":    {func(_ *spot.Options, s *spot.Spot) { s.Pot = 0 }, new(*spot.FieldError), "spot 1: pot"},
		"memory": {func(o *spot.Options, _ *spot.Spot) { o.Memory = 1000 }, new(*spot.MemoryError), "spot"},
	} {
		changed, options := *spots[1], o
		c.change(&options, &changed)
		if _, err := spot.NewBatch([]*spot.Spot{spots[0], &changed}, options); !errors.As(err, c.as) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := spot.NewBatch(nil, o); err == nil {
		t.Error("no error without spots")
	}
	for _, settings := range []string{"", "fail=cuLaunchKernel:719"} {
		device := ondevice.Of(cudatest.OpenFake(t, "memory=200000000;"+settings, "spot"))
		o.Device = func(*spot.Solver) (spot.Device, error) { return device, nil }
		b, err := spot.NewBatch(spots, o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if settings == "" {
			cancel()
		}
		ended := 0
		b.Solve(ctx, func(int) spot.Limits { return spot.Limits{Iterations: 10} }, func(i int, x float64) {
			if ended++; settings == "" && !math.IsNaN(x) {
				t.Errorf("spot %d: exploitability %v after the context was done", i, x)
			}
		})
		if ended != len(spots) || (b.Err() != nil) != (settings != "") {
			t.Errorf("%d of %d spots ended: %v", ended, len(spots), b.Err())
		}
		if err := b.Close(); err != nil && settings == "" {
			t.Error(err)
		}
		cancel()
	}
}

// Operations are 300 iterations of 1,000 rivers of all hands with 25 decisions each, and 200 of 64 turns of 20 million
// entries, side by side.
func BenchmarkBatch(b *testing.B) {
	if !cudatest.OnGPU() {
		b.Skip("it needs -device cuda")
	}
	device := ondevice.Of(cudatest.Open(b, "", "spot"))
	for name, c := range map[string]struct {
		n, iterations int
		spot          func(b *testing.B, i int) *spot.Spot
	}{
		"rivers": {1000, 300, func(b *testing.B, i int) *spot.Spot {
			s := spot.SpotOf(b, "Ks9d7h4c2s", "random", "random", 200+i, 1800, "33,75,150", "75")
			s.Menu.RaiseCap = 3
			s.Board[4] = s.Board[4] + card.Card(4*(i%4)) // 2s, 3s, 4s or 5s
			return s
		}},
		"turns": {64, 200, func(b *testing.B, i int) *spot.Spot {
			s := spot.LargeTurn(b)
			s.Pot, s.Stack = s.Pot+i, 1580 // 2.01e7 entries on average
			return s
		}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var spots []*spot.Spot
				for i := range c.n {
					spots = append(spots, c.spot(b, i))
				}
				batch, err := spot.NewBatch(spots, spot.Options{
					Algorithm: cfr.Algorithms[0], Threads: 6, Memory: 1 << 36,
					Device: func(*spot.Solver) (spot.Device, error) { return device, nil },
				})
				if err != nil {
					b.Fatal(err)
				}
				entries, start := int64(0), time.Now()
				for _, s := range batch.Solvers {
					entries += s.Entries()
				}
				for range c.iterations {
					batch.Step()
				}
				if err := errors.Join(batch.Solvers[0].Sync(), batch.Err()); err != nil {
					b.Fatal(err)
				}
				seconds := time.Since(start).Seconds()
				b.ReportMetric(float64(entries)*float64(c.iterations)/seconds, "entries/s")
				b.ReportMetric(seconds, "s/solving")
				b.ReportMetric(float64(batch.Solvers[0].Decisions()), "decisions")
				if err := batch.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Solvers of the CPU that do iterations together on a device come back with the bits that they get alone, also if they
// have started from others.
func TestStepTogether(t *testing.T) {
	device := ondevice.Of(cudatest.Open(t, "memory=200000000;shared=200000", "spot"))
	for _, algorithm := range []string{"dcfr+", "dcfr+/16"} {
		var got, want []*spot.Solver
		for _, s := range batchSpots(t) {
			got = append(got, spot.SolverOf(t, s, algorithm, 0, 1))
			want = append(want, spot.SolverOf(t, s, algorithm, 0, 1))
		}
		check := func(iterations uint64) {
			t.Helper()
			if err := spot.StepTogether(t.Context(), got, device, iterations, 2); err != nil {
				t.Fatal(err)
			}
			for i, s := range got {
				for want[i].Iterations() < iterations {
					want[i].Step()
				}
				p, err := s.Solution().At("")
				q, errAlone := want[i].Solution().At("")
				if !spot.SameEntries(s, want[i]) || s.Iterations() != iterations || s.DeviceBytes() != 0 ||
					err != nil || errAlone != nil || !reflect.DeepEqual(p, q) {
					t.Errorf("%s: spot %d differs: %v, %v", algorithm, i, err, errAlone)
				}
			}
		}
		check(7)
		for i, s := range batchSpots(t) {
			from := got[i]
			s.Stack++
			got[i], want[i] = spot.SolverOf(t, s, algorithm, 0, 1), spot.SolverOf(t, s, algorithm, 0, 1)
			if err := errors.Join(got[i].StartFrom(from), want[i].StartFrom(from)); err != nil {
				t.Fatal(err)
			}
		}
		check(9)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	s := spot.SolverOf(t, batchSpots(t)[0], "dcfr", 0, 1)
	if err := spot.StepTogether(ctx, []*spot.Solver{s}, device, 9, 1); err == nil || err.Error() != "enough" {
		t.Errorf("after its context: %v", err)
	}
}
