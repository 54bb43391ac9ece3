package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"gamebots/configs"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/gametree"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
	"gamebots/solvers/nash/path"
	"gamebots/solvers/nash/polymatrix"
)

// signMatrices writes what is found of two players.
func signMatrices(ctx context.Context, h io.Writer, r *nash.Result) error {
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
		signed := equilibrium{X: game.Fractions(e.X), Y: game.Fractions(e.Y), Payoffs: game.Fractions(e.Payoffs[:])}
		if e.Index != 0 {
			signed.Index = &e.Index
		}
		out.Equilibria = append(out.Equilibria, signed)
	}
	if r.Degeneracy != nash.Degenerate {
		out.IndexSum = &r.IndexSum
		return json.NewEncoder(h).Encode(out)
	}
	structure, err := r.Structure(ctx)
	if err != nil {
		return err
	}
	out.Components = structure.Components
	for _, s := range structure.Subsets {
		out.Subsets = append(out.Subsets, subset{structure.First(0, s.X), structure.First(1, s.Y)})
	}
	return json.NewEncoder(h).Encode(out)
}

// signMultiplayer finds all equilibria of random games.
func signMultiplayer(ctx context.Context, method methods) error {
	h := method("")
	for seed, sizes := range [][]int{{3, 3}, {2, 2, 2}, {2, 3, 2}, {2, 2, 2, 2}} {
		g, err := game.Random(uint64(seed), 0, 1000, sizes...)
		if err != nil {
			return err
		}
		r, err := multiplayer.Solve(ctx, g, 1)
		if err != nil {
			return err
		}
		fmt.Fprintln(h, r.Undecided)
		for i := range r.Equilibria {
			signEquilibrium(h, &r.Equilibria[i])
		}
	}
	return nil
}

func signEquilibrium(h io.Writer, e *multiplayer.Equilibrium) {
	fmt.Fprintln(h, e.Supports())
	for _, x := range append(e.Strategies, e.Payoffs) {
		signRounded(h, x)
	}
}

// signPaths follows both kinds of paths to their ends, and the logit path in ten parts.
func signPaths(ctx context.Context, method methods) error {
	h := method("")
	for seed, sizes := range [][]int{{3, 4}, {2, 3, 2}, {2, 2, 2, 2}} {
		g, err := game.Random(uint64(seed), 0, 1000, sizes...)
		if err != nil {
			return err
		}
		newton, err := path.GlobalNewton(ctx, g)
		if err != nil {
			return err
		}
		logit, err := path.Logit(ctx, g)
		if err != nil {
			return err
		}
		for _, e := range []*multiplayer.Equilibrium{newton, logit.Limit} {
			signEquilibrium(h, e)
		}
		for i := range 10 {
			p := logit.Points[i*(len(logit.Points)-1)/9]
			for _, x := range append(p.Strategies, []float64{p.Lambda, p.Regret}) {
				signRounded(h, x)
			}
		}
	}
	return nil
}

// signPolymatrix finds all equilibria of random games, and of a degenerate one between two of
// a population.
func signPolymatrix(ctx context.Context, method methods) error {
	h := method("")
	for seed, sizes := range [][]int{{3, 4}, {3, 2, 3}, {2, 2, 2, 2}} {
		g := polymatrix.Game{Sizes: sizes}
		draws := rng.Stream(seed)
		for p, own := range sizes {
			g.Payoffs = append(g.Payoffs, make([][]*big.Rat, len(sizes)))
			for q, other := range sizes {
				for range own * other {
					if q != p {
						g.Payoffs[p][q] = append(g.Payoffs[p][q], big.NewRat(int64(draws.IntN(1000)), 7))
					}
				}
			}
		}
		if err := signPolymatrixGame(ctx, h, &g); err != nil {
			return err
		}
	}
	travellers, err := game.Generate(game.Recipe{Family: "TravelersDilemma", Rows: 6, Cols: 6})
	if err != nil {
		return err
	}
	g, ok := polymatrix.Population(travellers)
	if !ok {
		return fmt.Errorf("%s is not symmetric", travellers.Title)
	}
	return signPolymatrixGame(ctx, h, g)
}

func signPolymatrixGame(ctx context.Context, h io.Writer, g *polymatrix.Game) error {
	r, err := polymatrix.Solve(ctx, g)
	if err != nil {
		return err
	}
	fmt.Fprintln(h, r.Degenerate, r.Programs)
	for _, e := range r.Equilibria {
		fmt.Fprintln(h, e.Strategies, e.Payoffs)
	}
	return nil
}

// extensiveGame returns a game of poker as an extensive game.
func extensiveGame(name string) (*extensive.Game, error) {
	rules, err := configs.Game(name)
	if err != nil {
		return nil, err
	}
	return gametree.Build(rules, betting.Actions{}, abstraction.Lossless)
}

// signExtensive solves Kuhn poker as a whole, and its subgames one by one.
func signExtensive(ctx context.Context, method methods) error {
	g, err := extensiveGame("kuhn")
	if err != nil {
		return err
	}
	if _, err := method("").Write(g.EFG()); err != nil {
		return err
	}
	for name, by := range map[string]sequence.Method{"subgames": sequence.Subgames, "whole": sequence.Whole} {
		s, err := sequence.Solve(ctx, g, by)
		if err != nil {
			return err
		}
		fmt.Fprintln(method(name), s.Profile, s.Payoffs, s.Subgames)
	}
	return nil
}

// signTabular trains an extensive game by every algorithm, and says what can be gained then.
func signTabular(ctx context.Context, method methods) error {
	for _, name := range []string{"kuhn", "kuhn-3p"} {
		g, err := extensiveGame(name)
		if err != nil {
			return err
		}
		q, err := g.Sequences()
		if err != nil {
			return err
		}
		for _, algorithm := range []string{"dcfr", "cfr+", "dcfr+", "linear", "cfr", "pcfr+", tabular.External,
			tabular.Outcome} {
			trainer, err := tabular.New(q, algorithm, 1)
			if err != nil {
				return err
			}
			for range 200 {
				trainer.Step()
			}
			profile := trainer.Profile()
			gains, err := q.Gains(ctx, profile, false)
			if err != nil {
				return err
			}
			for _, x := range append(profile, gains) {
				for _, p := range x {
					fmt.Fprint(method(algorithm), p.FloatString(6), " ") // see signRounded
				}
			}
		}
	}
	return nil
}
