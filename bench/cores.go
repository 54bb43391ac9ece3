package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"gamebots/cudalib/probe"
)

// The figures of L. Buzer and T. Cazenave, GPU for Monte Carlo Search, 2023,
// tables 1 to 4: a GeForce GTX 3080 and one core of a Ryzen 9 3900X.
const (
	seedGPU   = "GTX 3080 (2022)"
	seedCPU   = "Ryzen 9 3900X (2022)"
	seedCores = 8704
)

var (
	seedLoss = map[float64]float64{0.05: 1.1, 0.1: 1.2, 0.15: 1.31, 0.2: 1.41, 0.25: 1.51, 0.3: 1.62, 0.35: 1.72, 0.4: 1.82}
	// By threads a core; of the time of one thread a core of the CPU with integers.
	seedSums = map[string][2]float64{"CPU int": {1, 1.3}, "CPU float": {1.3, 2}, "GPU int": {3.9, 6.3}, "GPU float": {5.6, 10.1}}
	// In nanoseconds, by threads a core.
	seedL1 = map[string][2]float64{"read": {1.46, 1.53}, "read+write": {1.54, 1.60}}
	// By places, from 8 up; 0 is more than 1000.
	seedGlobal = map[string][]float64{
		"1 thread a core, read":        {26, 27, 28, 30, 31, 32, 524, 895, 0},
		"1 thread a core, read+write":  {79, 144, 258, 296, 287, 294, 0, 0, 0},
		"2 threads a core, read":       {13, 13, 14, 17, 21, 310, 868, 0, 0},
		"2 threads a core, read+write": {46, 144, 248, 297, 309, 0, 0, 0, 0},
	}
	seedShared = map[string][]float64{
		"1 thread a core, read":       {17, 18, 18, 19, 19, 19},
		"1 thread a core, read+write": {23, 24, 24, 25, 25, 25},
	}
)

// benchWarpLoss emits how much longer a warp takes than its 32 playouts would by
// themselves, where their lengths are normal: by the bound of the paper, and by
// drawing them (table 1).
func benchWarpLoss(emit func(Row) error) error {
	const draws = 20_000
	for _, ratio := range []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4} {
		rng := rand.New(rand.NewPCG(1, 2))
		lengths := make([]float64, 32*draws)
		for i := range lengths {
			lengths[i] = 1 + ratio*rng.NormFloat64()
		}
		loss := func(device, by string, value float64) error {
			return emit(Row{Case: "table 1: " + by + ", deviation of lengths", X: ratio, Device: device, Metric: "warp loss", Value: value, Unit: "times"})
		}
		if err := errors.Join(loss(seedGPU, "drawn", seedLoss[ratio]), loss("", "drawn", warpLoss(lengths)),
			loss("", "bound", (1+math.Sqrt(2*math.Log(32))*ratio)/(1-3*ratio/32))); err != nil {
			return err
		}
	}
	return nil
}

// warpLoss returns by how much the longest of each 32 lengths is longer than
// their mean.
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

// Less is enough for tests.
var (
	subsetsOf = 14   // numbers, of whose subsets sums are added up
	allPlaces = 1024 // the longest chain
)

// subsetSums is the twin of kernels/cores.cu.
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

// cpuSums returns the time of so many threads that each add up subsets.
func cpuSums(threads int, floats bool) (time.Duration, error) {
	var results [1024]float64
	return medianTime(func() error {
		return together(threads, func(i int) {
			if floats {
				results[i%len(results)] = float64(subsetSums[float32](subsetsOf))
			} else {
				results[i%len(results)] = float64(subsetSums[uint32](subsetsOf))
			}
		})
	})
}

// together runs as many threads of the same work.
func together(threads int, work func(int)) error {
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() { work(i) })
	}
	all.Wait()
	return nil
}

// chaseCPU returns the nanoseconds of an access of the first cache, on so many
// threads, each with a chain of its own.
func chaseCPU(threads int, writes bool) (float64, error) {
	const places, accesses = 4096, 3 << 20 // 8 KiB
	chains := make([]*[1 << 16]uint16, threads)
	for i := range chains {
		chains[i] = new([1 << 16]uint16)
		copy(chains[i][:], probe.Chain[uint16](places))
	}
	ends := make([]uint16, threads)
	t, err := medianTime(func() error {
		return together(threads, func(i int) { ends[i] = chase(chains[i], accesses, writes) })
	})
	return float64(t.Nanoseconds()) / accesses, err
}

// chase is the twin of kernels/cores.cu.
func chase(a *[1 << 16]uint16, accesses int, writes bool) (p uint16) {
	for i := 0; i < accesses; i += 3 {
		p2 := a[p]
		p3 := a[p2]
		p4 := a[p3]
		if writes {
			a[p], a[p2], a[p3] = p3, p4, p2
		}
		p = p4
	}
	return p
}

// benchCores emits tables 2 and 3 for the CPU.
func benchCores(emit func(Row) error) error {
	one, err := cpuSums(runtime.NumCPU(), false)
	if err != nil {
		return err
	}
	for perCore := 1; perCore <= 2; perCore++ {
		for _, kind := range []string{"int", "float"} {
			t, err := cpuSums(perCore*runtime.NumCPU(), kind == "float")
			if err != nil {
				return err
			}
			name := fmt.Sprintf("table 2: subset sums, %s, %d a core", kind, perCore)
			if err := errors.Join(emit(Row{Case: name, Device: seedCPU, Metric: "time", Value: seedSums["CPU "+kind][perCore-1], Unit: "of a CPU's int"}),
				emit(Row{Case: name, Threads: perCore * runtime.NumCPU(), Metric: "time", Value: t.Seconds() / one.Seconds(), Unit: "of a CPU's int"})); err != nil {
				return err
			}
		}
	}
	for i, threads := range []int{1, runtime.NumCPU()} {
		for _, name := range []string{"read", "read+write"} {
			seed := seedL1[name]
			ns, err := chaseCPU(threads, name == "read+write")
			if err != nil {
				return err
			}
			if err := errors.Join(emit(Row{Case: "table 3: first cache, " + name, Device: seedCPU, Threads: i + 1, Metric: "latency", Value: seed[i], Unit: "ns"}),
				emit(Row{Case: "table 3: first cache, " + name, Threads: threads, Metric: "latency", Value: ns, Unit: "ns"})); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchCoresGPU emits tables 2 and 4 for a GPU, and returns its cores and the
// nanoseconds of a read and a write of shared memory.
func benchCoresGPU(ctx context.Context, c *probe.Cores, emit func(Row) error) (sharedNs float64, err error) {
	one, err := cpuSums(1, false)
	if err != nil {
		return 0, err
	}
	for perCore := 1; perCore <= 2; perCore++ {
		for _, kind := range []string{"int", "float"} {
			t, err := c.Sums(subsetsOf, perCore, kind == "float")
			if err != nil {
				return 0, err
			}
			name := fmt.Sprintf("table 2: subset sums, %s, %d a core", kind, perCore)
			if err := errors.Join(emit(Row{Case: name, Device: seedGPU, Metric: "time", Value: seedSums["GPU "+kind][perCore-1], Unit: "of a CPU's int"}),
				emit(Row{Case: name, Metric: "time", Value: t.Seconds() / one.Seconds(), Unit: "of a CPU's int"})); err != nil {
				return 0, err
			}
		}
	}
	for _, shared := range []bool{false, true} {
		for perCore := 1; perCore <= 2; perCore++ {
			for _, access := range []string{"read", "read+write"} {
				name := fmt.Sprintf("%d %s a core, %s", perCore, map[int]string{1: "thread", 2: "threads"}[perCore], access)
				memory, seed := "global memory", seedGlobal[name]
				if shared {
					memory, seed = "shared memory", seedShared[name]
				}
				for i, places := 0, 8; places <= allPlaces; i, places = i+1, 2*places {
					ns, err := c.Chase(places, perCore, shared, access == "read+write")
					if errors.Is(err, errors.ErrUnsupported) {
						break
					}
					if err := errors.Join(err, context.Cause(ctx)); err != nil {
						return 0, err
					}
					r := Row{Case: fmt.Sprintf("table 4: %s, %s, places", memory, name), X: float64(places), Metric: "latency", Value: ns, Unit: "ns"}
					if err := emit(r); err != nil {
						return 0, err
					}
					if shared && perCore == 1 && access == "read+write" {
						sharedNs = ns
					}
					if r.Device, r.Value = seedGPU, 0; i < len(seed) {
						r.Value = seed[i]
					}
					if r.Value > 0 {
						if err := emit(r); err != nil {
							return 0, err
						}
					}
				}
			}
		}
	}
	return sharedNs, nil
}
