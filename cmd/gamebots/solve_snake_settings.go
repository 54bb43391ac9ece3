package main

import (
	"fmt"

	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// spec returns the search that the flags ask for, or refuses contradictions. given reports whether a
// flag was set.
func (f *snakeFlags) spec(given func(flag string) bool) (o snake.SearchOptions, err error) {
	o = f.SearchOptions
	o.Algorithm = snake.Algorithm(f.algorithm)
	if o.Policy, err = nmcs.ParsePolicy(f.policy); err != nil {
		return o, usererr.Usagef("--policy: %v", err)
	}
	if err := f.refuse(); err != nil {
		return o, err
	}
	if err := o.Rules.Check(); err != nil {
		return o, usererr.Usage(err)
	}
	if f.prime != "" {
		if o.Prime, err = f.readPrime(); err != nil {
			return o, err
		}
	}
	if err := o.Check(); err != nil {
		return o, usererr.Usage(err)
	}
	for _, use := range snakeFlagUses {
		if given(use.flag) && use.of != o.Algorithm {
			return o, usererr.Usagef("--%s is not for --algorithm %s", use.flag, o.Algorithm)
		}
	}
	if o.MaxRuns == 0 && f.time == 0 {
		o.MaxRuns = defaultRuns
	}
	return o, nil
}

// refuse refuses flags that contradict each other.
func (f *snakeFlags) refuse() error {
	switch {
	case f.time < 0:
		return usererr.Usagef("--time: %v is negative", f.time)
	case f.primeEdges < 0:
		return usererr.Usagef("--prime-edges: %d is negative", f.primeEdges)
	case f.prime == "" && f.primeEdges > 0:
		return usererr.Usagef("--prime-edges: --prime is needed")
	}
	return nil
}

// snakeFlagUses has the algorithm of each flag that is for one only.
var snakeFlagUses = []struct {
	flag string
	of   snake.Algorithm
}{{"leaf", snake.NMCS}, {"policy", snake.NMCS}, {"iterations", snake.NRPA}}

// readPrime returns the longest snake or coil of --prime, or its first edges.
func (f *snakeFlags) readPrime() (cube.Sequence, error) {
	prime, err := cube.ReadLongest(f.prime, f.Rules)
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
