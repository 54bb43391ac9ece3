//go:build linux

package spot_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"gamebots/acpc/card"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/internal/layout"
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
	broken := ondevice.Of(cudatest.OpenFake(t, "memory=200000000;fail=cuLaunchKernel:719", "spot"))
	s = spot.SolverOf(t, batchSpots(t)[0], "dcfr", 0, 1)
	if err := spot.StepTogether(t.Context(), []*spot.Solver{s}, broken, 9, 1); !errors.Is(err, driver.ErrFault) {
		t.Errorf("on a broken device: %v", err)
	}
}

// Where the memory of a device is short, the rivers of one turn after the other are passed.
func TestStepTogetherMemory(t *testing.T) {
	device := ondevice.Of(cudatest.Open(t, "memory=200000000", "spot"))
	var passes layout.Passes // the last ones
	limited := func(limit int64) spot.Device {
		return func(starts []*layout.Start, _ int64) (p layout.Passes, err error) {
			p, err = device(starts, limit)
			passes = p
			return p, err
		}
	}
	var bytes [2]int64
	for i, limit := range []int64{0, 1} {
		var got, want []*spot.Solver
		for pot := range 3 {
			s := spot.SpotOf(t, "Td9d6hQh", "88,KsJs:0.5", "QQ,AsKs", 200+pot, 300, "60", "")
			got, want = append(got, spot.SolverOf(t, s, "dcfr", 0, 1)), append(want, spot.SolverOf(t, s, "dcfr", 1, 1))
		}
		if limit > 0 {
			limit = passes.Least()
			err := spot.StepTogether(t.Context(), got, limited(limit-1), 1, 1)
			if !errors.Is(err, spot.ErrDeviceMemory) {
				t.Errorf("with less than the least: %v", err)
			}
		}
		if err := spot.StepTogether(t.Context(), got, limited(limit), 1, 1); err != nil {
			t.Fatal(err)
		}
		bytes[i] = passes.Bytes()
		for k, s := range got {
			if !spot.SameEntries(s, want[k]) {
				t.Errorf("spot %d differs with a limit of %d", k, limit)
			}
		}
	}
	if bytes[1] != passes.Least() || bytes[0] <= bytes[1] {
		t.Errorf("%d bytes with the least of %d, %d without a limit", bytes[1], passes.Least(), bytes[0])
	}
}
