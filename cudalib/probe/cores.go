package probe

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// coreLanes is how many additions a multiprocessor of today's devices does at the
// same time: NVIDIA's "CUDA cores".
const coreLanes = 128

// A Cores measures the speed of a single thread of a device, as Buzer and
// Cazenave (GPU for Monte Carlo Search, 2023) did: sums without any memory, and
// accesses of memory that each depend on the one before. One goroutine uses
// it at a time.
type Cores struct {
	stopwatch
	ints          *launch.Kernel[sumsParams[uint32]]
	floats        *launch.Kernel[sumsParams[float32]]
	global        *launch.Kernel[globalParams]
	shared        *launch.Kernel[sharedParams]
	chain, chains driver.Buffer[uint16]
	results       driver.Buffer[uint32]
	sums          driver.Buffer[float32]
}

// The parameters of the kernels of cores.cu.
type (
	sumsParams[T uint32 | float32] struct {
		Results driver.Buffer[T]
		N       uint32
	}
	chaseParams struct {
		Chain       driver.Buffer[uint16]
		N, Accesses uint32
		Writes      bool
	}
	globalParams struct {
		Results driver.Buffer[uint32]
		Chains  driver.Buffer[uint16]
		Chase   chaseParams
	}
	sharedParams struct {
		Results driver.Buffer[uint32]
		Chase   chaseParams
	}
)

// MaxChain is the maximum length of a chain in global memory, and MaxSharedChain of one
// in shared memory.
const (
	MaxChain       = 1024
	MaxSharedChain = 256
)

const maxPerCore = 2 // threads

// NewCores loads the measurements.
func NewCores(d *driver.Device) (*Cores, error) {
	c := &Cores{stopwatch: newStopwatch(d, "cores")}
	l, cores := c.gpu, coreLanes*d.Info().Multiprocessors
	c.ints = launch.Find[sumsParams[uint32]](l, "core_sums_int")
	c.floats = launch.Find[sumsParams[float32]](l, "core_sums_float")
	c.global = launch.Find[globalParams](l, "chase_global")
	c.shared = launch.Find[sharedParams](l, "chase_shared")
	c.chain, c.chains = launch.Alloc[uint16](l, MaxChain), launch.Alloc[uint16](l, cores*MaxChain)
	c.results, c.sums = launch.Alloc[uint32](l, maxPerCore*cores), launch.Alloc[float32](l, maxPerCore*cores)
	return launch.Finish(l, c)
}

// grid returns a grid with perCore threads a core and a block a multiprocessor.
func (c *Cores) grid(perCore int) driver.Grid {
	return driver.Grid{Blocks: c.gpu.Device.Info().Multiprocessors, Threads: coreLanes * perCore}
}

// Sums returns the time for every thread to add up the sums of all subsets of 1 to
// n, with 1 or 2 threads a core.
func (c *Cores) Sums(n, perCore int, floats bool) (t time.Duration, err error) {
	err = c.gpu.Device.Do(func() error {
		t, err = c.time(func() error {
			if floats {
				return c.floats.Launch(c.gpu.Stream, c.grid(perCore), sumsParams[float32]{c.sums, uint32(n)})
			}
			return c.ints.Launch(c.gpu.Stream, c.grid(perCore), sumsParams[uint32]{c.results, uint32(n)})
		})
		return err
	})
	return t, err
}

// Chase returns the nanoseconds that a core takes for an access on average, with
// one thread a core. Each thread follows a chain of its own, of 2-byte elements in
// global memory or of 1-byte elements in shared memory. With writes, an access
// reads and writes. The error is errors.ErrUnsupported where the chains do not fit
// in shared memory.
func (c *Cores) Chase(length int, shared, writes bool) (perAccess float64, err error) {
	const accesses = 3 * 2000
	if length > MaxChain || shared && length > MaxSharedChain {
		return 0, fmt.Errorf("a chain of %d elements: %w", length, errors.ErrUnsupported)
	}
	grid := c.grid(1)
	if shared {
		if grid.Shared = grid.Threads * length; grid.Shared > c.gpu.Device.Info().SharedPerBlock {
			return 0, fmt.Errorf("chains of %d bytes for %d threads: %w", length, grid.Threads, errors.ErrUnsupported)
		}
	}
	if err := c.chain.Slice(0, length).Upload(c.gpu.Stream, Chain(length)); err != nil {
		return 0, err
	}
	var t time.Duration
	err = c.gpu.Device.Do(func() error {
		// The time to set up the chains is in both, and not in their difference.
		for _, n := range []int{accesses, 2 * accesses} {
			before := t
			t, err = c.time(func() error {
				chase := chaseParams{c.chain, uint32(length), uint32(n), writes}
				if shared {
					return c.shared.Launch(c.gpu.Stream, grid, sharedParams{c.results, chase})
				}
				return c.global.Launch(c.gpu.Stream, grid, globalParams{c.results, c.chains, chase})
			})
			if err != nil {
				return err
			}
			t -= before
		}
		return nil
	})
	return float64(t.Nanoseconds()) / accesses, err
}

// Chain returns a cycle through n elements in random order: element i is followed by
// element chain[i].
func Chain(n int) []uint16 {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	chain := make([]uint16, n)
	for i := range chain {
		chain[i] = uint16(i)
	}
	// Sattolo's shuffle has one cycle.
	for i := n - 1; i > 0; i-- {
		j := rng.IntN(i)
		chain[i], chain[j] = chain[j], chain[i]
	}
	return chain
}
