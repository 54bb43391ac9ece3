package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"maps"
	"path"
	"slices"
)

// signature is a fixed amount of work. What run writes depends on every result of that work and
// on nothing else: not on the machine, and not on the number of threads.
type signature struct {
	name string
	run  func(context.Context, methods) // fails as check does
}

// methods returns what the results of a method are written to, by the method's name: "" is that
// of the signature itself. Each has a number of its own, so that a method that goes moves no other.
type methods func(name string) hash.Hash64

// signatures are of every solver, and of the rules below them. signature_test.go says which one
// covers which package of solvers.
var signatures = []signature{
	{"aivat", signAIVAT},
	{"bestresponse", signResponses},
	{"buckets", signBuckets},
	{"cfr", signCFR},
	{"cfrbr", signCFRBR},
	{"dealer", signDealer},
	{"deals", signDeals},
	{"extensive", signExtensive},
	{"gumbel", signGumbel},
	{"hand", signHand},
	{"havannah", signHavannah},
	{"hexnet", signHexnet},
	{"lbr", signLBR},
	{"mccfr", signSampling},
	{"mcts", signSearch},
	{"minimax", signMinimax},
	{"nash", signNash},
	{"nim", signNim},
	{"nmcs", signNMCS},
	{"pcs", signPCS},
	{"resolve", signResolving},
	{"selfplay", signSelfplay},
	{"spot", signSpots},
	{"subgame", signSubgames},
	{"tabular", signTabular},
}

// Sign does the fixed work of every solver and calls back with the number of each method.
func Sign(ctx context.Context, emit func(name string, result uint64) error) error {
	for _, s := range signatures {
		sums := map[string]hash.Hash64{}
		err := try(func() {
			s.run(ctx, func(method string) hash.Hash64 {
				name := path.Join(s.name, method)
				if sums[name] == nil {
					sums[name] = fnv.New64a()
				}
				return sums[name]
			})
		})
		if err != nil {
			return fmt.Errorf("signature %s: %w", s.name, err)
		}
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			if err := emit(name, sums[name].Sum64()); err != nil {
				return err
			}
		}
	}
	return nil
}

// sign signs values of a fixed size.
func sign(h io.Writer, values ...any) {
	for _, x := range values {
		check(binary.Write(h, binary.LittleEndian, x))
	}
}
