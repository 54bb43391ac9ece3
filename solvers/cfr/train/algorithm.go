package train

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
	"gamebots/solvers/cfr/pcs"
)

// Algorithm is an algorithm with its parameters. [ParseAlgorithm] returns it by its
// name. The zero Algorithm stands for the default one (see [Spec]).
type Algorithm struct {
	*entry
	vector cfr.Algorithm // parameters in vector form
	batch  int           // 0 stands for the default size
	half   bool          // whether the numbers of a sampling have 16 bits
}

// family is a way to train, in which algorithms differ by their parameters.
type family uint8

const (
	vectorForm   family = iota // package cfr: goes through all cards at once, without random choices
	sampling                   // package mccfr
	published                  // package reis
	publicChance               // package pcs
	bestResponse               // package cfrbr
)

// entry is an algorithm of the registry.
type entry struct {
	name string
	family
	vector cfr.Algorithm // default parameters in vector form
	method mccfr.Method  // parameters of package mccfr
	// maxBatch is the largest number of iterations that can be done at once, 0 for
	// algorithms without batches; defaultBatch is the number where none is given.
	maxBatch, defaultBatch int
	// maxSteps is how many batches a training does at most, 0 where it has no bound.
	maxSteps uint64
	// layOut lays out a game of poker.
	layOut func(s Spec, o Options) (backend, error)
}

// registry has all algorithms, in the order in which they are listed. Those of
// package cfr are added from its list, and the samplings of package mccfr with
// their linear variants.
var registry = func() (all []entry) {
	for _, a := range cfr.Algorithms {
		all = append(all, entry{name: a.Name, vector: a, layOut: layOutVector})
	}
	for _, linear := range []bool{false, true} {
		for _, m := range []mccfr.Method{{}, {Robust: true}} {
			m.Batch, m.Linear = 1, linear
			all = append(all, entry{name: m.String(), family: sampling, method: m, maxBatch: mccfr.MaxBatch,
				defaultBatch: 1, layOut: onCPU(newSampler)})
		}
	}
	return append(all,
		entry{name: "deals", family: published, maxBatch: reis.MaxDealBatch, defaultBatch: reis.DefaultDealBatch,
			layOut: sampledBy(openDealBatch)},
		entry{name: pcs.LinearName, family: publicChance, maxBatch: pcs.MaxBatch, defaultBatch: pcs.DefaultBatch,
			maxSteps: pcs.MaxSteps, layOut: sampledBy(openBoards)},
		entry{name: pcs.PlusName, family: publicChance, maxBatch: pcs.MaxBatch, defaultBatch: pcs.DefaultBatch,
			maxSteps: pcs.MaxSteps, layOut: sampledBy(openBoards)},
		entry{name: cfrbr.Name, family: bestResponse, maxSteps: pcs.MaxSteps, layOut: sampledBy(openBoards)},
		entry{name: "recursive", family: published, layOut: onCPU(newDepthFirst)},
		entry{name: "iterative", family: published, layOut: onCPU(newLevelOrder)},
		entry{name: reis.GPUName, family: published, layOut: sampledBy(openGPUReference)},
	)
}()

// gone are the names of algorithms that were taken out.
var gone = []string{"cfr-br", "chance", "self-public", "opponent-public", "public", "racing-external", "linear-chance",
	"linear-self-public", "linear-opponent-public", "linear-public", "racing-linear-external", "outcome",
	"linear-outcome"}

// ErrGone is the error for an algorithm that was taken out.
var ErrGone = errors.New("went with 0.3.0 (the last commit with it is 5b68c516)")

// Names lists the names of the algorithms in vector form, which go through all
// cards at once, and of those that sample.
func Names() (vector, sampling []string) {
	for _, e := range registry {
		if e.family == vectorForm {
			vector = append(vector, e.name)
		} else {
			sampling = append(sampling, e.name)
		}
	}
	return vector, sampling
}

// ParseAlgorithm parses the name of an algorithm, as in dcfr, dcfr(1.5,0,2), cfr+/16
// or external(64). In brackets are the parameters of an algorithm in vector form (see
// [cfr.Algorithm.WithParameters]), or the number of iterations that an algorithm that
// samples does at once. With "/16" numbers have as many bits instead of 32.
// Errors are of type [*Error].
func ParseAlgorithm(text string) (Algorithm, error) {
	a, err := parseAlgorithm(text)
	return a, about(FieldAlgorithm, err)
}

func parseAlgorithm(text string) (Algorithm, error) {
	written := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	written, half := strings.CutSuffix(written, "/16")
	name, params, bracket, err := cfr.SplitAlgorithm(written)
	i := slices.IndexFunc(registry, func(e entry) bool { return e.name == name })
	switch {
	case i < 0 && slices.Contains(gone, name):
		return Algorithm{}, fmt.Errorf("algorithm %q %w", name, ErrGone)
	case i < 0:
		vector, sampling := Names()
		return Algorithm{}, fmt.Errorf("unknown algorithm %q: want %s", text,
			usererr.OneOf(name, append(vector, sampling...)))
	}
	a := Algorithm{entry: &registry[i], vector: registry[i].vector}
	switch {
	case err != nil || !bracket:
	case a.IsVector():
		a.vector, err = a.vector.WithParameters(params)
	default:
		n, _ := strconv.Atoi(params) // the error of 0 says what is wanted
		a, err = a.withBatch(n)
	}
	if err == nil && half {
		a, err = a.halved()
	}
	if err != nil {
		return a, fmt.Errorf("algorithm %q: %w", text, err)
	}
	return a, nil
}

// withBatch returns the algorithm with as many iterations at once.
func (a Algorithm) withBatch(n int) (Algorithm, error) {
	switch {
	case a.entry == nil || a.maxBatch == 0:
		return a, fmt.Errorf("%v takes no batch", a)
	case n < 1 || n > a.maxBatch:
		return a, fmt.Errorf("want the size of a batch in brackets, up to %d, as in %s(64)", a.maxBatch, a.name)
	}
	a.batch = n
	return a, nil
}

// halved returns the algorithm with numbers of 16 bits instead of 32.
func (a Algorithm) halved() (Algorithm, error) {
	switch {
	case a.IsVector():
		a.vector.Quantized = true
	case a.is(sampling):
		a.half = true
	default:
		return a, fmt.Errorf("%v has numbers of 32 bits only", a)
	}
	return a, nil
}

// is reports whether the algorithm is of a family. The zero Algorithm is of none.
func (a Algorithm) is(f family) bool { return a.entry != nil && a.family == f }

// IsVector reports whether the algorithm is in vector form: it goes through all
// cards at once and makes no random choices.
func (a Algorithm) IsVector() bool { return a.is(vectorForm) }

// sampled returns an algorithm of sampling as package mccfr takes it.
func (a Algorithm) sampled() mccfr.Method {
	m := a.method
	m.Batch, m.Half = a.Batch(), a.half
	return m
}

// sizedFor returns the algorithm with the batch that suits a game, if none is given.
func (a Algorithm) sizedFor(g *mccfr.Game) Algorithm {
	if a.batch == 0 && a.family == sampling {
		a.batch = mccfr.DefaultBatch(g)
	}
	return a
}

// boards returns an algorithm of publicChance as package pcs takes it.
func (a Algorithm) boards() pcs.Method {
	return pcs.Method{Batch: a.Batch(), Plus: a.name == pcs.PlusName}
}

// bits returns the number of bits of a number in memory.
func (a Algorithm) bits() int {
	if a.half || a.vector.Quantized {
		return 16
	}
	return 32
}

// bound returns the goal of a training, which ends at the latest where the algorithm's sums lose digits.
// A goal beyond is an error.
func (a Algorithm) bound(g Goal) (Goal, error) {
	if a.entry == nil || a.maxSteps == 0 {
		return g, nil
	}
	most := a.maxSteps * uint64(a.Batch())
	if g.Iterations > most {
		return g, &Error{FieldIterations,
			fmt.Errorf("%v does at most %d iterations: beyond, its average strategy loses what they add", a, most)}
	}
	g.Iterations = cmp.Or(g.Iterations, most)
	return g, nil
}

// Batch returns the number of iterations that are done at once.
func (a Algorithm) Batch() int {
	return cmp.Or(a.batch, a.defaultBatch, 1)
}

// String formats the algorithm for ParseAlgorithm, always in the same way. It is the
// name in strategy files and checkpoints.
func (a Algorithm) String() string {
	switch {
	case a.entry == nil:
		return ""
	case a.IsVector():
		return a.vector.String()
	case a.family == sampling:
		return a.sampled().String()
	case a.maxBatch > 0:
		return fmt.Sprintf("%s(%d)", a.name, a.Batch())
	}
	return a.name
}

// defaultAlgorithm returns an algorithm that trains well with an abstraction of cards and
// betting: without sampling where vectors over all cards are possible.
func defaultAlgorithm(cards string, actions betting.Actions) Algorithm {
	name := "external"
	if _, err := abstraction.ParseKind(cards); err == nil && !actions.IsForgetful() {
		name = cfr.Algorithms[0].Name
	}
	return mustParse(name)
}

// mustParse returns an algorithm that is in the registry.
func mustParse(name string) Algorithm {
	a, err := parseAlgorithm(name)
	if err != nil {
		panic(err)
	}
	return a
}
