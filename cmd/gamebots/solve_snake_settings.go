package main

import (
	"fmt"
	"slices"

	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/records"
)

// fits refuses beams on the CPU of this machine that are too wide for its memory.
func (f *snakeFlags) fits(o records.SearchOptions, available int64) error {
	if o.Algorithm != snake.BeamSearch || o.Device != nil {
		return nil
	}
	need := o.BeamBytes()
	if err := memory.Enough(fmt.Sprintf("--width: beams of %d paths", o.Width), need, available); err != nil {
		width := int(0.9 * float64(o.Width) * float64(available) / float64(need))
		return usererr.WithHint(err, fmt.Sprintf("--width %d would fit", width))
	}
	return nil
}

// spec returns the search that the flags ask for, or refuses contradictions. given reports whether a
// flag was set. Where walks are needed and their number was not given, they are those of a GPU.
func (f *snakeFlags) spec(given func(flag string) bool) (o records.SearchOptions, err error) {
	o = f.SearchOptions
	o.Algorithm = snake.Algorithm(f.algorithm)
	if o.Policy, err = nmcs.ParsePolicy(f.policy); err != nil {
		return o, usererr.Usagef("--policy: %v", err)
	}
	if o.Symmetry, err = records.ParseSymmetry(f.symmetry); err != nil {
		return o, usererr.Usagef("--symmetry: %v", err)
	}
	if err := f.refuse(o); err != nil {
		return o, err
	}
	if err := o.Rules.Check(); err != nil {
		return o, usererr.Usage(err)
	}
	if f.prime != "" {
		if o.Prime, err = f.readPrime(o); err != nil {
			return o, err
		}
	}
	if f.defaultWalks(o, given) {
		o.Walks = records.GPUWalks
	}
	if err := o.Check(); err != nil {
		return o, usererr.Usage(err)
	}
	for _, use := range snakeFlagUses {
		if given(use.flag) && !slices.Contains(use.of, o.Algorithm) {
			return o, usererr.Usagef("--%s is not for --algorithm %s", use.flag, o.Algorithm)
		}
	}
	if o.MaxRuns == 0 && f.time == 0 {
		o.MaxRuns = defaultRuns
	}
	return o, nil
}

// defaultWalks reports whether the algorithm needs walks and their number was not given.
func (f *snakeFlags) defaultWalks(o records.SearchOptions, given func(flag string) bool) bool {
	return records.NeedsWalks(o.Algorithm) && !given("walks")
}

// refuse refuses flags that contradict each other.
func (f *snakeFlags) refuse(o records.SearchOptions) error {
	beams := o.Algorithm == snake.BeamSearch
	switch {
	case f.time < 0:
		return usererr.Usagef("--time: %v is negative", f.time)
	case f.primeEdges < 0:
		return usererr.Usagef("--prime-edges: %d is negative", f.primeEdges)
	case f.prime == "" && f.primeEdges > 0:
		return usererr.Usagef("--prime-edges: --prime is needed")
	case o.Improve && !beams:
		return usererr.Usagef("--improve is for --algorithm beam")
	case o.Checkpoint != "" && o.Algorithm != snake.NMCS && o.Algorithm != snake.NRPA:
		return usererr.Usagef("--checkpoint: --algorithm %s has none; continue from its --output with --prime",
			o.Algorithm)
	case o.Improve && o.Rules.Coil:
		return usererr.Usagef("--improve is for snakes; continue with --walks")
	case o.Improve && o.Walks > 0:
		return usererr.Usagef("--improve: --walks continues in another way")
	case beams && o.MaxRuns > 1 && !o.Improve && o.Walks == 0:
		return usererr.Usagef("--runs: a beam search is one run without --improve or --walks")
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

// readPrime returns the longest snake or coil of --prime, or its first edges.
func (f *snakeFlags) readPrime(o records.SearchOptions) (cube.Sequence, error) {
	fits := o.Rules
	if o.Algorithm == records.HalfByHalf { // the prime is a half
		fits.Dimension--
	}
	prime, err := cube.ReadLongest(f.prime, fits)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--prime: %w", err)
	case f.primeEdges > len(prime):
		return nil, usererr.Usagef("--prime-edges: %d, but the snake of %s has %d", f.primeEdges, f.prime, len(prime))
	case f.primeEdges > 0:
		prime = prime[:f.primeEdges]
	}
	return prime, nil
}
