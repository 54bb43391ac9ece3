package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

// signMatrices writes what is found of two players.
func signMatrices(ctx context.Context, h io.Writer, r *nash.Result) {
	type equilibrium struct {
		X       []string `json:"x"`
		Y       []string `json:"y"`
		Payoffs []string `json:"payoffs"`
		Index   *int     `json:"index"`
	}
	type subset struct {
		X []int `json:"x"`
		Y []int `json:"y"`
	}
	out := struct {
		Equilibria []equilibrium   `json:"equilibria"`
		Count      int             `json:"count"`
		IndexSum   *int            `json:"index_sum"`
		Verified   bool            `json:"verified"`
		Degeneracy nash.Degeneracy `json:"degenerate"`
		Complete   bool            `json:"complete"`
		Subsets    []subset        `json:"nash_subsets,omitempty"`
		Components int             `json:"components,omitempty"`
		Stats      nash.Stats      `json:"stats"`
	}{
		Count: len(r.Equilibria), Verified: r.Verified, Degeneracy: r.Degeneracy, Complete: r.Complete, Stats: r.Stats,
	}
	for _, e := range r.Equilibria {
		signed := equilibrium{
			X: bimatrix.Fractions(e.X), Y: bimatrix.Fractions(e.Y), Payoffs: bimatrix.Fractions(e.Payoffs[:]),
		}
		if e.Index != 0 {
			signed.Index = &e.Index
		}
		out.Equilibria = append(out.Equilibria, signed)
	}
	if r.Degeneracy != nash.Degenerate {
		out.IndexSum = &r.IndexSum
	} else {
		structure := must(r.Structure(ctx))
		out.Components = structure.Components
		for _, s := range structure.Subsets {
			out.Subsets = append(out.Subsets, subset(s))
		}
	}
	check(json.NewEncoder(h).Encode(out))
}

// extensiveGame returns a game of poker as an extensive game.
func extensiveGame(name string) *extensive.Game {
	return must(tabular.OfPoker(shipped(name), betting.Actions{}, abstraction.Lossless))
}

// signExtensive solves Kuhn poker as a whole, and its subgames one by one.
func signExtensive(ctx context.Context, method methods) {
	g := extensiveGame("kuhn")
	must(method("").Write(g.EFG()))
	for name, by := range map[string]sequence.Method{"subgames": sequence.Subgames, "whole": sequence.Whole} {
		s := must(sequence.Solve(ctx, g, by))
		fmt.Fprintln(method(name), s.Profile, s.Payoffs, s.Subgames)
	}
}

// signTabular trains an extensive game by every algorithm, and says what can be gained then.
func signTabular(ctx context.Context, method methods) {
	for _, name := range []string{"kuhn", "kuhn-3p"} {
		q := must(extensiveGame(name).Sequences())
		for _, algorithm := range []string{"dcfr", "cfr+", "dcfr+", "linear", "cfr", "pcfr+", tabular.External} {
			trainer := must(tabular.New(q, algorithm, 1))
			for range 200 {
				trainer.Step()
			}
			profile := trainer.Profile()
			gains := must(q.Gains(ctx, profile, false))
			for _, x := range append(profile, gains) {
				for _, p := range x {
					fmt.Fprint(method(algorithm), p.FloatString(6), " ") // last bits are the processor's
				}
			}
		}
	}
}
