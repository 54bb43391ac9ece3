package main

import (
	"fmt"
	"slices"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/records"
)

// fits refuses beams on the CPU of this machine that are too wide for its memory.
func (f *snakeFlags) fits(available int64) error {
	if f.Algorithm != snake.BeamSearch || f.Device != nil || f.grid.NATS != "" {
		return nil
	}
	need := f.BeamBytes() * int64(min(f.Threads, f.restarts))
	if err := memory.Enough(fmt.Sprintf("--width: beams of %d paths", f.Width), need, available); err != nil {
		return usererr.WithHint(err, fmt.Sprintf("--width %d would fit", int(0.9*float64(f.Width)*float64(available)/float64(need))))
	}
	return nil
}

// maxRestarts is the number of seeds that leave enough seeds for the improvements of each.
const maxRestarts = 1 << 20

// resolve sets the options that follow from the flags, and refuses contradictions.
func (f *snakeFlags) resolve() error {
	f.Algorithm = snake.Algorithm(f.algorithm)
	var err error
	if f.Policy, err = nmcs.ParsePolicy(f.policy); err != nil {
		return usererr.Usagef("--policy: %v", err)
	}
	if f.Symmetry, err = records.ParseSymmetry(f.symmetry); err != nil {
		return usererr.Usagef("--symmetry: %v", err)
	}
	switch {
	case f.time < 0:
		return usererr.Usagef("--time: %v is negative", f.time)
	case f.primeEdges < 0:
		return usererr.Usagef("--prime-edges: %d is negative", f.primeEdges)
	case f.prime == "" && f.primeEdges > 0:
		return usererr.Usagef("--prime-edges: --prime is needed")
	case f.Improve && f.Algorithm != snake.BeamSearch:
		return usererr.Usagef("--improve is for --algorithm beam")
	case f.Checkpoint != "" && f.Algorithm != snake.NMCS && f.Algorithm != snake.NRPA:
		return usererr.Usagef("--checkpoint: --algorithm %s has none; continue from its --output with --prime", f.Algorithm)
	case f.restarts < 1 || f.restarts > maxRestarts:
		return usererr.Usagef("--restarts: %d is not from 1 to %d", f.restarts, maxRestarts)
	case f.restarts > 1 && f.Algorithm != snake.BeamSearch:
		return usererr.Usagef("--restarts is for --algorithm beam; use --runs for others")
	case f.restarts > 1 && f.Improve && f.MaxRuns == 0:
		return usererr.Usagef("--restarts with --improve: --runs is needed, the searches per restart")
	case f.device.GPU() && (f.restarts > 1 || f.grid.NATS != ""):
		return usererr.Usagef("--device: restarts and work on several machines use CPUs")
	case f.Improve && f.Rules.Coil:
		return usererr.Usagef("--improve is for snakes; continue with --walks")
	case f.Improve && f.Walks > 0:
		return usererr.Usagef("--improve: --walks continues in another way")
	case f.restarts > 1 && f.Walks > 0:
		return usererr.Usagef("--restarts: only one beam search can continue with --walks")
	case f.grid.NATS != "" && (f.Algorithm == records.HalfByHalf || f.Algorithm == records.Walking):
		return usererr.Usagef("--nats: --algorithm %s runs on one machine", f.Algorithm)
	case f.grid.NATS != "" && f.restarts == 1 && f.Algorithm == snake.BeamSearch:
		return usererr.Usagef("--nats: one beam search cannot be divided; --restarts can be shared")
	case f.Algorithm == snake.BeamSearch && f.MaxRuns > 1 && !f.Improve && f.Walks == 0:
		return usererr.Usagef("--runs: a beam search is one run without --improve or --walks")
	}
	if err := f.Rules.Check(); err != nil {
		return usererr.Usage(err)
	}
	if f.prime != "" {
		fits := f.Rules
		if f.Algorithm == records.HalfByHalf { // the prime is a half
			fits.Dimension--
		}
		if f.Prime, err = readPrime(f.prime, fits, f.primeEdges); err != nil {
			return err
		}
	}
	if f.defaultWalks() {
		f.Walks = gpuWalks
	}
	if err := f.Check(); err != nil {
		return usererr.Usage(err)
	}
	if err := f.applicable(); err != nil {
		return err
	}
	if f.MaxRuns == 0 && f.time == 0 {
		f.MaxRuns = defaultRuns
	}
	return nil
}

// snakeFlagUses has the algorithms of flags that are not for all.
var snakeFlagUses = []struct {
	flag string
	of   []snake.Algorithm
}{
	{"level", []snake.Algorithm{snake.NMCS, snake.NRPA}},
	{"leaf", []snake.Algorithm{snake.NMCS}},
	{"policy", []snake.Algorithm{snake.NMCS}},
	{"iterations", []snake.Algorithm{snake.NRPA}},
	{"width", []snake.Algorithm{snake.BeamSearch, records.HalfByHalf}},
	{"symmetry", []snake.Algorithm{snake.BeamSearch, records.HalfByHalf, records.Walking}},
	{"walks", []snake.Algorithm{snake.BeamSearch, records.HalfByHalf, records.Walking}},
	{"free", []snake.Algorithm{snake.NMCS, snake.NRPA, snake.BeamSearch, records.HalfByHalf}},
}

// applicable refuses flags that have no effect: those of other algorithms, and numbers of 0.
func (f *snakeFlags) applicable() error {
	flags := f.grid.Set
	for _, use := range snakeFlagUses {
		if flags.Changed(use.flag) && !slices.Contains(use.of, f.Algorithm) {
			return usererr.Usagef("--%s is not for --algorithm %s", use.flag, f.Algorithm)
		}
	}
	return cli.RefuseZero(flags, "runs", "time", "prime-edges", "walks")
}

// readPrime returns the longest snake or coil in a file that fits into a cube, or its first edges.
func readPrime(file string, r cube.Rules, edges int) (cube.Sequence, error) {
	entries, err := cube.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--prime: %w", err)
	}
	var prime cube.Sequence
	for _, e := range entries {
		if e.Rules.Coil == r.Coil && e.Rules.Dimension <= r.Dimension && len(e.Sequence) > len(prime) {
			prime = e.Sequence
		}
	}
	switch {
	case prime == nil:
		return nil, fmt.Errorf("--prime: %s: no %s in dimension %d or below", file, r.Kind(), r.Dimension)
	case edges > len(prime):
		return nil, usererr.Usagef("--prime-edges: %d, but the snake of %s has %d", edges, file, len(prime))
	case edges > 0:
		prime = prime[:edges]
	}
	return prime, nil
}
