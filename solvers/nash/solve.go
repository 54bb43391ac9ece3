package nash

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
)

// A Method is how equilibria are searched for.
type Method string

// The methods. Auto is Labels. Nguyen and Grosu are programs of others, kept to
// compare with: every pair of supports solved for itself.
const (
	Auto    Method = "auto"
	Support Method = "support"
	Labels  Method = "labels"
	Nguyen  Method = "nguyen" // Nguyen (2015): serial, on threads, and on a GPU
	Grosu   Method = "grosu"  // Rampersaud, Mashayekhy, Grosu (2014): on a GPU
)

// ParseMethod reads a method's name.
func ParseMethod(s string) (Method, error) {
	switch m := Method(s); m {
	case Auto, Support, Labels, Nguyen, Grosu:
		return m, nil
	}
	return "", fmt.Errorf("%q is none of %s, %s, %s, %s and %s", s, Auto, Support, Labels, Nguyen, Grosu)
}

// Options are how a game is solved. The zero value is Auto on all cores.
type Options struct {
	Method  Method
	Threads int // 0 for all cores
	Order   Order
	// Device, if any, is the GPU to search on. What it finds is decided about on
	// Threads threads of the CPU.
	Device *cudalib.Device
	// BlockThreads is how many threads a block of Nguyen's and Grosu's kernels has,
	// 0 for 512 as in Nguyen's measurements.
	BlockThreads int
	Pivoting     Pivoting // of Nguyen's and Grosu's programs
	// Doubles has the kernel of Support compute all in 64 bits, for comparison.
	Doubles bool
	// Quick leaves out what only confirms: the search in a second order, the look for
	// degenerate vertices where the search does not come, and the second proof of
	// what was found.
	Quick bool
	// Bare has SolveAll leave out probabilities and payoffs of what it finds in
	// nondegenerate games; [Game.Fill] computes them. Equilibria are proved all the
	// same, and in the order of their supports.
	Bare bool
	// Searched, if any, is called by SolveAll when the search of many games at once
	// is over, and what was found is still to be proved.
	Searched func()
	// Spread, if any, does most of a search by labels, but in degenerate games.
	Spread Spread
	// Watch, if any, tells how far the search is.
	Watch *Watch

	limits nashgpu.Limits // for tests
	part   int            // of many games, for tests
}

// withDefaults fills in what is left open.
func (o Options) withDefaults() Options {
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Watch == nil {
		o.Watch = new(Watch)
	}
	o.Method = cmp.Or(o.Method, Auto)
	if o.Method == Auto {
		o.Method = Labels
	}
	return o
}

// A Watch can be asked by any goroutine, at any time.
type Watch struct {
	part  atomic.Uint64 // in units of 1 / progressUnits
	found atomic.Int64
}

// Part estimates how much of the search is done, from 0 to 1.
func (w *Watch) Part() float64 { return min(1, float64(w.part.Load())/progressUnits) }

// Found returns how many equilibria were found.
func (w *Watch) Found() int { return int(w.found.Load()) }

// Stats count what a search did.
type Stats struct {
	Method Method `json:"method"` // that was used
	Nodes  uint64 `json:"nodes"`  // of a tree, or pairs of supports
	Pivots uint64 `json:"pivots"`
	// Candidates were decided about exactly, and Rejected among them were no
	// equilibria. Doubts are decisions within the bound of rounding errors, where
	// nothing was left out.
	Candidates uint64 `json:"candidates"`
	Rejected   uint64 `json:"rejected"`
	Doubts     uint64 `json:"doubts"`
}

// Stopped is the problem of a search that was stopped: all that was found is
// verified, and nothing is known of the rest.
const Stopped = "the search was stopped"

// A Result is what Solve found.
type Result struct {
	// Equilibria in the order of their probabilities: all there are, and in a
	// degenerate game the extreme ones.
	Equilibria []Equilibrium
	Degenerate bool
	// Complete is false where the search was stopped.
	Complete bool
	// Verified says that every equilibrium is one in exact arithmetic, and in a
	// nondegenerate game that their number is odd and their indices sum to +1.
	Verified bool
	// Problem says why it is not verified.
	Problem string
	// IndexSum is of nondegenerate games.
	IndexSum int
	// SecondOrder says that the search was done again with another order of
	// branching and found the same.
	SecondOrder bool
	Stats       Stats
}

// Why a search by floats is given up for one in integers: an equilibrium, or nearly
// one, that is degenerate, supports where floats see a vertex and there is none, or
// a simplex search that does not end.
var (
	errTied     = errors.New("a tie")
	errSingular = errors.New("singular supports")
	errStuck    = errors.New("a simplex search that did not end")
)

// secondOrderFrom is from how many strategies of a player on a search is done
// again in another order: margins of decisions shrink eightfold for every two
// strategies, to the order of rounding at 32.
const secondOrderFrom = 33

// Solve finds all equilibria of a game. When ctx ends it returns what was found
// until then, and the error of ctx.
func Solve(ctx context.Context, g *Game, o Options) (*Result, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	p := newProver(g)
	r := &Result{Stats: Stats{Method: o.Method}}
	r.Degenerate = !o.Quick && p.degenerate(ctx)
	var err error
	if !r.Degenerate {
		err = p.search(ctx, o, r)
	}
	return r, p.finish(ctx, o, r, err)
}

// finish searches in integers where floats do not do, as in a degenerate game, and
// judges what was found.
func (p *prover) finish(ctx context.Context, o Options, r *Result, err error) error {
	tied := r.Degenerate || errors.Is(err, errTied)
	if exactly := tied || errors.Is(err, errSingular) || errors.Is(err, errStuck); exactly {
		var all []*Equilibrium
		// How far the search by floats came depends on which goroutine was first.
		r.Stats = Stats{Method: Labels}
		all, r.Stats.Nodes, err = p.extreme(ctx, o.Threads, o.Watch)
		r.Equilibria = r.Equilibria[:0]
		for _, e := range all {
			r.Equilibria = append(r.Equilibria, *e)
		}
		r.Stats.Candidates = uint64(len(all))
		r.Degenerate = tied || p.tiedExactly(ctx, r.Equilibria)
	}
	slices.SortFunc(r.Equilibria, func(a, b Equilibrium) int { return compare(&a, &b) })
	r.Complete = err == nil
	p.judge(r, (o.Quick || o.Bare) && !r.Degenerate, o.Threads)
	return err
}

// judge verifies the equilibria, unless the decision that they are some is to
// do, and what they add up to.
func (p *prover) judge(r *Result, quick bool, threads int) {
	if !quick {
		wrong := make([]bool, len(r.Equilibria))
		inTurn(threads, len(wrong), func(i int) { wrong[i] = !p.verify(&r.Equilibria[i]) })
		if i := slices.Index(wrong, true); i >= 0 {
			r.Problem = fmt.Sprintf("number %d is no equilibrium", i+1)
			return
		}
	}
	for i := range r.Equilibria {
		e := &r.Equilibria[i]
		if e.X != nil && e.Payoffs[0] == nil {
			p.pay(e, set(support(e.X)), set(support(e.Y)))
		}
		if i > 0 && compare(&r.Equilibria[i-1], e) == 0 {
			r.Problem = fmt.Sprintf("number %d was found twice", i+1)
			return
		}
		r.IndexSum += e.Index
	}
	switch n := len(r.Equilibria); {
	case !r.Complete:
		r.Problem = Stopped
	case n == 0:
		r.Problem = "no equilibrium was found, but every game has one"
	case r.Degenerate:
	case n%2 == 0:
		r.Problem = fmt.Sprintf("%d equilibria are an even number", n)
	case r.IndexSum != 1:
		r.Problem = fmt.Sprintf("the indices add up to %d, not to 1", r.IndexSum)
	}
	r.Verified = r.Problem == ""
}

// search finds the equilibria of a game that is taken to be nondegenerate, until
// an exact decision shows that it is not, errTied, or may not be.
func (p *prover) search(ctx context.Context, o Options, r *Result) error {
	c := newCollector(ctx, p, o.Watch)
	defer c.stop()
	c.pairs = o.Method != Labels
	var err error
	switch {
	case o.Device != nil:
		err = p.onDevice(ctx, o, c, r)
	case o.Method == Labels:
		var stats labelStats
		stats, err = p.byLabels(o, c)
		r.Stats.Nodes, r.Stats.Pivots, r.Stats.Doubts = stats.Nodes, stats.Pivots, stats.Doubts
	case o.Method == Support || o.Method == Nguyen:
		s := newSupportSearch(p, c)
		err = s.run(c.ctx, o.Threads, o.Method == Nguyen, o.Pivoting)
		r.Stats.Nodes, r.Stats.Doubts = s.pairs(), s.doubts.Load()
	default:
		return fmt.Errorf("method %s needs a GPU", o.Method)
	}
	r.take(c)
	if c.unclear != nil {
		return c.unclear
	}
	if err == nil && o.Method == Labels && max(p.a.rows, p.a.cols) >= secondOrderFrom && !o.Quick {
		err = p.searchAgain(ctx, o, r)
	}
	return err
}

// byLabels searches by labels, here or elsewhere.
func (p *prover) byLabels(o Options, c *collector) (labelStats, error) {
	if o.Spread != nil {
		return p.spread(c.ctx, o, c)
	}
	s := labelSearch{space: newSpace(p, o.Order), leaf: c.leaf, progress: &o.Watch.part}
	return s.run(c.ctx, o.Threads, [][]decision{nil})
}

// take takes over what was decided.
func (r *Result) take(c *collector) {
	r.Equilibria = c.equilibria
	r.Stats.Candidates, r.Stats.Rejected = c.candidates, c.rejected
}

// searchAgain finds the same in another order, or returns an error.
func (p *prover) searchAgain(ctx context.Context, o Options, r *Result) error {
	var again Watch
	c := newCollector(ctx, p, &again)
	defer c.stop()
	o.Order, o.Watch = 1-o.Order, &again
	if o.Device != nil {
		if err := p.onDevice(ctx, o, c, new(Result)); err != nil {
			return err
		}
	} else if _, err := p.byLabels(o, c); err != nil {
		return err
	}
	inOrder := func(a, b Equilibrium) int { return compare(&a, &b) }
	slices.SortFunc(r.Equilibria, inOrder)
	slices.SortFunc(c.equilibria, inOrder)
	if slices.CompareFunc(r.Equilibria, c.equilibria, inOrder) != 0 {
		return fmt.Errorf("two orders of branching find different equilibria, %d and %d", len(r.Equilibria), len(c.equilibria))
	}
	r.SecondOrder = true
	return nil
}

// A collector decides about candidates, in the goroutines that find them.
type collector struct {
	prover *prover
	ctx    context.Context
	stop   context.CancelFunc
	watch  *Watch
	pairs  bool // candidates are pairs of supports
	bare   bool // equilibria need no probabilities

	mutex                sync.Mutex
	equilibria           []Equilibrium
	candidates, rejected uint64
	unclear              error // why the search was stopped
}

func newCollector(ctx context.Context, p *prover, w *Watch) *collector {
	c := &collector{prover: p, watch: w}
	c.ctx, c.stop = context.WithCancel(ctx)
	return c
}

// leaf takes a pair of supports. The one of the origins is none.
func (c *collector) leaf(rows, cols uint64) {
	if rows == 0 && cols == 0 {
		return
	}
	e, how := c.prover.candidate(rows, cols, c.bare)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.candidates++
	switch how {
	case isEquilibrium:
		c.equilibria = append(c.equilibria, *e)
		c.watch.found.Add(1)
	case isNone:
		c.rejected++
	case isSingular, isTied:
		// Where a search by labels ends there is an equilibrium, or nearly: it may be
		// beside a face that has no point. Pairs of supports are taken as they come: a
		// singular one has none, or else many, and then one at the edge of these, with
		// smaller supports, that is tied.
		if how == isSingular && (c.pairs || !c.prover.hasFaces(rows, cols)) {
			c.rejected++
			return
		}
		if how == isTied {
			c.unclear = errTied
		} else if c.unclear == nil {
			c.unclear = errSingular
		}
		c.stop()
	}
}
