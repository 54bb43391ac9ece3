package equilibria

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
	"gamebots/solvers/nash/path"
	"gamebots/solvers/nash/polymatrix"
)

// Method is a way to find equilibria: one of [nash.Method], which are for two players unless it is
// Auto, or one of these, for any number of players.
type Method string

// The methods for any number of players, beside Auto.
const (
	Auto         Method = Method(nash.Auto)
	Polymatrix   Method = "polymatrix"    // all, of games whose payoffs are sums over pairs of players
	GlobalNewton Method = "global-newton" // one, at the end of a path
	Logit        Method = "logit"         // another one
)

// ParseMethod returns the method with a name.
func ParseMethod(name string) (Method, error) {
	m := Method(name)
	if m.forAll() {
		return m, nil
	}
	if _, err := nash.ParseMethod(name); err != nil {
		return "", fmt.Errorf("%w, %s, %s, %s", err, Polymatrix, GlobalNewton, Logit)
	}
	return m, nil
}

// forAll reports whether the method is one of this package, for any number of players.
func (m Method) forAll() bool { return m == Polymatrix || m == GlobalNewton || m == Logit }

// Spec says what to find.
type Spec struct {
	Method    Method // default Auto
	Pure      bool   // the pure equilibria alone
	Symmetric bool   // those of a symmetric game in which all do the same
	Threads   int    // at least 1

	// Matrices are the options of a search by package nash, but for method and threads.
	Matrices nash.Options
	// OnPath is called with the path of Logit, also if it leads to no equilibrium. It may be nil.
	OnPath func(*path.LogitPath) error
}

// Search is what a Spec makes of a game: the search that finds its equilibria.
type Search int

// The searches.
const (
	ByMatrices   Search = iota // package nash: the one that can use a device or a grid
	ByDivision                 // package multiplayer
	ByPairs                    // package polymatrix, for its method or for symmetric equilibria
	ByPath                     // package path
	ByCells                    // pure equilibria
	ByPopulation               // symmetric equilibria
)

// Search returns the search for a game of some players.
func (s Spec) Search(players int) Search {
	switch {
	case s.Method == Polymatrix:
		return ByPairs
	case s.Method.forAll():
		return ByPath
	case s.Symmetric:
		return ByPopulation
	case s.Pure:
		return ByCells
	case players > 2:
		return ByDivision
	}
	return ByMatrices
}

// Answer is what was found.
type Answer interface {
	WriteText(io.Writer) error
	WriteJSON(io.Writer) error
}

// Errors of games for which a search is not made.
var (
	ErrNotPolymatrix = errors.New("the game is not a polymatrix game: payoffs against one player depend on another")
	ErrNotSymmetric  = errors.New("the game is not symmetric: if two players change places, their payoffs do not")
)

// Find finds equilibria. With an error it returns what was found before, or nil: the error is that
// of ctx, or says that what was found is not verified.
func Find(ctx context.Context, g *game.NormalForm, s Spec) (Answer, error) {
	switch s.Search(len(g.Sizes)) {
	case ByPairs:
		p, ok := polymatrix.New(g)
		if !ok {
			return nil, ErrNotPolymatrix
		}
		players := make([]string, len(g.Sizes))
		for i := range players {
			players[i] = fmt.Sprint("player ", i+1)
		}
		return findPairs(ctx, g, p, pairs{one: "equilibrium", many: "equilibria", players: players})
	case ByPath:
		return s.findOne(ctx, g)
	case ByPopulation:
		return s.findSymmetric(ctx, g)
	case ByCells:
		cells, err := multiplayer.Pure(ctx, g)
		if err != nil {
			return nil, err
		}
		return pure{g, cells}, nil
	case ByDivision:
		return s.findAll(ctx, g)
	}
	return s.findMatrices(ctx, g.Bimatrix())
}

// findMatrices finds equilibria of two players.
func (s Spec) findMatrices(ctx context.Context, g *game.Game) (Answer, error) {
	o := s.Matrices
	o.Method, o.Threads = nash.Method(s.Method), s.Threads
	r, err := nash.Solve(ctx, g, o)
	switch {
	case r == nil:
		return nil, err
	case err == nil && !r.Verified:
		err = fmt.Errorf("not verified: %s", r.Problem)
	}
	found := Matrices{Game: g, Result: r}
	if err == nil && r.Degeneracy == nash.Degenerate && r.Stats.Method != nash.LemkeHowson {
		found.Structure, err = r.Structure(ctx)
	}
	return found, err
}

// findOne finds the equilibrium at the end of a path.
func (s Spec) findOne(ctx context.Context, g *game.NormalForm) (Answer, error) {
	e, err := s.follow(ctx, g)
	if err != nil {
		return nil, err
	}
	r := &multiplayer.Result{Equilibria: []multiplayer.Equilibrium{*e}}
	return players{g, r, false, "there may be others"}, nil
}

func (s Spec) follow(ctx context.Context, g *game.NormalForm) (*multiplayer.Equilibrium, error) {
	if s.Method == GlobalNewton {
		return path.GlobalNewton(ctx, g)
	}
	p, err := path.Logit(ctx, g)
	if p == nil {
		return nil, err
	}
	if s.OnPath != nil {
		err = cmp.Or(s.OnPath(p), err)
	}
	return p.Limit, err
}

// findAll finds all equilibria of a small game of several players.
func (s Spec) findAll(ctx context.Context, g *game.NormalForm) (Answer, error) {
	r, err := multiplayer.Solve(ctx, g, s.Threads)
	if r == nil {
		return nil, err
	}
	if err == nil && len(r.Equilibria)+len(r.Continua) == 0 { // every game has one
		p, err := path.Logit(ctx, g)
		if err != nil {
			return nil, err
		}
		r.Equilibria = append(r.Equilibria, *p.Limit)
	}
	return players{g, r, r.Undecided == 0 && err == nil, others(r)}, err
}

// others says whether there are equilibria that are not in a result.
func others(r *multiplayer.Result) string {
	switch {
	case r.Undecided > 0:
		return usererr.Counted(r.Undecided, "place", "places") +
			" could not be decided, so that there may be more, even infinitely many"
	case len(r.Continua) > 0:
		return "there are no others"
	case len(r.Equilibria)%2 == 1:
		return "there are no others, and their number is odd"
	}
	return "there are no others; as their number is even, the game is degenerate"
}

// findSymmetric finds the symmetric equilibria of a symmetric game.
func (s Spec) findSymmetric(ctx context.Context, g *game.NormalForm) (Answer, error) {
	if len(g.Sizes) > 2 {
		if !g.Symmetric() {
			return nil, ErrNotSymmetric
		}
		r, err := multiplayer.SolveSymmetric(ctx, g, s.Threads)
		if r == nil {
			return nil, err
		}
		complete, rest := r.Undecided == 0 && err == nil, "there may be others"
		if complete {
			rest = "there are no others in which all do the same"
		}
		return players{g, r, complete, rest}, err
	}
	p, ok := polymatrix.Population(g.Bimatrix())
	if !ok {
		return nil, ErrNotSymmetric
	}
	return findPairs(ctx, g, p, pairs{
		one: "symmetric equilibrium", many: "symmetric equilibria", players: []string{"each player"},
	})
}

// findPairs finds the equilibria of a polymatrix game, and completes the answer.
func findPairs(ctx context.Context, g *game.NormalForm, p *polymatrix.Game, a pairs) (Answer, error) {
	r, err := polymatrix.Solve(ctx, p)
	if r == nil {
		return nil, err
	}
	a.game, a.result, a.complete = g, r, err == nil
	return a, err
}

// names lists strategies of a player who has all.
func names(all []string, strategies []int) string {
	words := make([]string, len(strategies))
	for i, s := range strategies {
		words[i] = all[s]
	}
	return strings.Join(words, " ")
}
