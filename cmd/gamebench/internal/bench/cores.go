package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"gamebots/cmd/gamebench/internal/published"
	"gamebots/cudalib/probe"
	"gamebots/internal/parallel"
)

// The publication of Buzer and Cazenave (2022), and its machine.
const (
	buzerSource = "Buzer and Cazenave (2022)"
	buzerGPU    = "GTX 3080 (2022)"
	buzerCPU    = "Ryzen 9 3900X (2022)"
)

// buzer returns a figure of Buzer and Cazenave (2022), 0 if there is none.
func buzer(table int, series string, x float64) float64 {
	value, _ := published.BuzerCazenave(table, series, x)
	return value
}

// fromBuzer returns a function that emits rows with figures of Buzer and Cazenave (2022), on a device.
func fromBuzer(device string, emit func(Row)) func(Row) {
	return func(r Row) {
		r.Device = device
		if r.Value > 0 { // the paper has it
			from(buzerSource, emit)(r)
		}
	}
}

// coresWork is the work of the tables about cores and their memory.
type coresWork struct {
	subsets     int // numbers, the sums of whose subsets are added up
	chainLength int // length of the longest chain of accesses
}

// benchWarpLoss emits the time of a warp, of the mean time of its 32 playouts, if their lengths
// are normally distributed: by the bound of the paper, and by drawing them (table 1).
func benchWarpLoss(emit func(Row)) {
	const draws = 20_000
	for _, ratio := range []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4} {
		rng := rand.New(rand.NewPCG(1, 2))
		lengths := make([]float64, 32*draws)
		for i := range lengths {
			lengths[i] = 1 + ratio*rng.NormFloat64()
		}
		loss := func(emit func(Row), by string, value float64) {
			emitAll(emit, Row{Case: "table 1: " + by + ", deviation of lengths", X: ratio},
				figure{"warp loss", value, "times"})
		}
		loss(fromBuzer(buzerGPU, emit), "drawn", buzer(1, "warp loss", ratio))
		loss(emit, "drawn", warpLoss(lengths))
		loss(emit, "bound", (1+math.Sqrt(2*math.Log(32))*ratio)/(1-3*ratio/32))
	}
}

// warpLoss returns the mean ratio of the longest of 32 lengths to their mean.
func warpLoss(lengths []float64) float64 {
	ratio, warps := 0.0, 0
	for ; len(lengths) >= 32; lengths = lengths[32:] {
		longest, sum := 0.0, 0.0
		for _, x := range lengths[:32] {
			longest, sum = max(longest, x), sum+x
		}
		ratio += longest / (sum / 32)
		warps++
	}
	return ratio / float64(warps)
}

// subsetSums is the CPU reference implementation of the kernel in cudalib/probe/cores.cu.
func subsetSums[T uint32 | float32](n int) T {
	total := T(0)
	for set := range 1 << n {
		sum := T(0)
		for k := range n {
			if set>>k&1 != 0 {
				sum += T(k + 1)
			}
		}
		total += sum
	}
	return total
}

// cpuSums returns the time in which each thread adds up subsets.
func (w coresWork) cpuSums(threads int, floats bool) (timing, error) {
	var results [1024]float64
	return medianTime(func() error {
		parallel.Each(threads, func(i int) {
			if floats {
				results[i%len(results)] = float64(subsetSums[float32](w.subsets))
			} else {
				results[i%len(results)] = float64(subsetSums[uint32](w.subsets))
			}
		})
		return nil
	})
}

// sums emits table 2 for a device of the paper and for one of this machine, whose times are measured. One is
// the time of a CPU thread with integers.
func (w coresWork) sums(
	emit func(Row), device, name string, threads int, one timing,
	measure func(perCore int, floats bool) (time.Duration, error),
) error {
	for perCore := 1; perCore <= 2; perCore++ {
		for _, kind := range []string{"int", "float"} {
			t, err := measure(perCore, kind == "float")
			if err != nil {
				return err
			}
			r := Row{Case: fmt.Sprintf("table 2: subset sums, %s, %d a core", kind, perCore)}
			emitAll(fromBuzer(device, emit), r,
				figure{"time", buzer(2, name+" "+kind, float64(perCore)), "of a CPU's int"})
			r.Threads = perCore * threads
			emitAll(emit, r, figure{"time", t.Seconds() / one.Seconds(), "of a CPU's int"})
		}
	}
	return nil
}

// onCPU emits table 2.
func (w coresWork) onCPU(emit func(Row)) error {
	cores := runtime.NumCPU()
	one, err := w.cpuSums(cores, false)
	if err != nil {
		return err
	}
	return w.sums(emit, buzerCPU, "CPU", cores, one, func(perCore int, floats bool) (time.Duration, error) {
		t, err := w.cpuSums(perCore*cores, floats)
		return t.Duration, err
	})
}

// onGPU emits tables 2 and 4.
func (w coresWork) onGPU(ctx context.Context, c *probe.Cores, emit func(Row)) error {
	one, err := w.cpuSums(1, false)
	if err != nil {
		return err
	}
	if err := w.sums(emit, buzerGPU, "GPU", 0, one, func(perCore int, floats bool) (time.Duration, error) {
		return c.Sums(w.subsets, perCore, floats)
	}); err != nil {
		return err
	}
	for _, series := range []struct {
		shared, writes bool
		name           string
	}{
		{false, false, "global memory, 1 thread a core, read"},
		{false, true, "global memory, 1 thread a core, read+write"},
		{true, false, "shared memory, 1 thread a core, read"},
		{true, true, "shared memory, 1 thread a core, read+write"},
	} {
		for places := 8; places <= w.chainLength; places *= 2 {
			ns, err := c.Chase(places, series.shared, series.writes)
			if errors.Is(err, errors.ErrUnsupported) {
				break
			}
			if err := errors.Join(err, context.Cause(ctx)); err != nil {
				return err
			}
			r := Row{Case: fmt.Sprintf("table 4: %s, places", series.name), X: float64(places)}
			emitAll(emit, r, figure{"latency", ns, "ns"})
			emitAll(fromBuzer(buzerGPU, emit), r, figure{"latency", buzer(4, series.name, r.X), "ns"})
		}
	}
	return nil
}
