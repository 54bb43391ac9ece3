package train

import (
	"cmp"
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
	vector cfr.Algorithm // parameters of an algorithm in vector form
	batch  int           // 0 stands for the default size
	half   bool          // whether the numbers of a sampling have 16 bits
}

// entry is an algorithm of the registry: one in vector form, or one that samples.
type entry struct {
	name   string
	vector *cfr.Algorithm // nil for algorithms that sample
	method *mccfr.Method  // nil for all but the samplings of package mccfr
	// maxBatch is the largest number of iterations that can be done at once, 0 for
	// algorithms without batches; defaultBatch is the number where none is given.
	maxBatch, defaultBatch int
	// sized is set where the default depends on the game, see mccfr.DefaultBatch.
	sized bool
	// maxSteps is how many batches a training does at most, 0 where it has no bound.
	maxSteps uint64
	// open makes the trainer of an algorithm that samples.
	open func(t *Training, a Algorithm, o opening) error
	// unlisted is set for variants that are not in the list of names.
	unlisted bool
}

// registry has all algorithms, in the order in which they are listed. Those of
// package cfr are added from its list, and the samplings of package mccfr with
// their linear variants.
var registry = func() (all []entry) {
	for i := range cfr.Algorithms {
		all = append(all, entry{name: cfr.Algorithms[i].Name, vector: &cfr.Algorithms[i]})
	}
	for _, linear := range []bool{false, true} {
		for s := mccfr.External; s <= mccfr.Outcome; s++ {
			m := mccfr.Method{Sampling: s, Batch: 1, Linear: linear}
			all = append(all, entry{name: m.String(), method: &m, maxBatch: mccfr.MaxBatch, defaultBatch: 1,
				sized: s == mccfr.External, open: openSampler, unlisted: linear})
		}
		robust := mccfr.Method{Sampling: mccfr.External, Batch: 1, Linear: linear, Robust: true}
		all = append(all, entry{name: robust.String(), method: &robust, maxBatch: mccfr.MaxBatch, defaultBatch: 1,
			sized: true, open: openSampler, unlisted: linear})
	}
	return append(all,
		entry{name: "deals", maxBatch: reis.MaxDealBatch, defaultBatch: reis.DefaultDealBatch, open: openDealBatch},
		entry{name: pcs.LinearName, maxBatch: pcs.MaxBatch, defaultBatch: pcs.DefaultBatch, maxSteps: pcs.MaxSteps,
			open: openPublicChance},
		entry{name: pcs.PlusName, maxBatch: pcs.MaxBatch, defaultBatch: pcs.DefaultBatch, maxSteps: pcs.MaxSteps,
			open: openPublicChance},
		entry{name: cfrbr.Name, maxSteps: pcs.MaxSteps, open: openBestResponse},
		entry{name: "recursive", open: openDepthFirst},
		entry{name: "iterative", open: openLevelOrder},
		entry{name: reis.GPUName, open: openGPUReference},
	)
}()

// gone are the names of algorithms that were taken out.
var gone = []string{"chance", "self-public", "opponent-public", "public", "racing-external", "linear-chance",
	"linear-self-public", "linear-opponent-public", "linear-public", "racing-linear-external"}

// Names lists the names of the algorithms in vector form, which go through all
// cards at once, and of those that sample.
func Names() (vector, sampling []string) {
	for _, e := range registry {
		switch {
		case e.unlisted:
		case e.vector != nil:
			vector = append(vector, e.name)
		default:
			sampling = append(sampling, e.name)
		}
	}
	return vector, sampling
}

// ParseAlgorithm parses the name of an algorithm, as in dcfr, dcfr(1.5,0,2), cfr+/16
// or external(64). In brackets are the parameters of an algorithm in vector form (see
// [cfr.Algorithm.WithParameters]), or the number of iterations that an algorithm that
// samples does at once. With "/16" or "/64" numbers have as many bits instead of 32.
// Errors are of type [*Error].
func ParseAlgorithm(text string) (Algorithm, error) {
	a, err := parseAlgorithm(text)
	if err != nil {
		err = &Error{FieldAlgorithm, err}
	}
	return a, err
}

func parseAlgorithm(text string) (Algorithm, error) {
	written := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	bits := 0
	for _, n := range []int{16, 64} {
		if rest, ok := strings.CutSuffix(written, fmt.Sprintf("/%d", n)); ok {
			written, bits = rest, n
		}
	}
	name, params, bracket, err := cfr.SplitAlgorithm(written)
	i := slices.IndexFunc(registry, func(e entry) bool { return e.name == name })
	switch {
	case i < 0 && slices.Contains(gone, name):
		return Algorithm{}, fmt.Errorf("algorithm %q went with 0.3.0 (the last commit with it is 5b68c516)", name)
	case i < 0:
		vector, sampling := Names()
		return Algorithm{}, fmt.Errorf("unknown algorithm %q: want %s", text,
			usererr.OneOf(name, append(vector, sampling...)))
	}
	a := Algorithm{entry: &registry[i]}
	if a.entry.vector != nil {
		a.vector = *a.entry.vector
	}
	switch {
	case err != nil || !bracket:
	case a.IsVector():
		a.vector, err = a.vector.WithParameters(params)
	case a.maxBatch > 0:
		var n int
		if n, err = strconv.Atoi(params); err == nil {
			a, err = a.withBatch(n)
		} else {
			err = a.batchError()
		}
	default:
		err = fmt.Errorf("%s takes no batch", name)
	}
	if err == nil && bits != 0 {
		a, err = a.withBits(bits)
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
	case a.batch != 0:
		return a, fmt.Errorf("%v has a batch already", a)
	case n < 1 || n > a.maxBatch:
		return a, a.batchError()
	}
	a.batch = n
	return a, nil
}

func (a Algorithm) batchError() error {
	return fmt.Errorf("want the size of a batch in brackets, up to %d, as in %s(64)", a.maxBatch, a.name)
}

// withBits returns the algorithm with numbers of 16 or 64 bits instead of 32.
func (a Algorithm) withBits(bits int) (Algorithm, error) {
	switch {
	case a.IsVector() && !a.vector.BestResponse:
		a.vector.Quantized, a.vector.Double = bits == 16, bits == 64
	case a.entry != nil && a.method != nil && bits == 16:
		a.half = true
	case bits == 64:
		return a, fmt.Errorf("%v has no numbers of 64 bits: want one of those in vector form but cfr-br", a)
	default:
		return a, fmt.Errorf("%v has numbers of 32 bits only", a)
	}
	return a, nil
}

// IsVector reports whether the algorithm is in vector form: it goes through all
// cards at once and makes no random choices.
func (a Algorithm) IsVector() bool { return a.entry != nil && a.entry.vector != nil }

// Vector returns the algorithm as package cfr takes it. It must be in vector form.
func (a Algorithm) Vector() cfr.Algorithm { return a.vector }

// Method returns the algorithm as package mccfr takes it. It must be one of its
// samplings.
func (a Algorithm) Method() mccfr.Method {
	m := *a.method
	m.Batch, m.Half = a.Batch(), a.half
	return m
}

// sizedFor returns the algorithm with the batch that suits a game, if none is given.
func (a Algorithm) sizedFor(g *mccfr.Game) Algorithm {
	if a.batch == 0 && a.sized {
		a.batch = mccfr.DefaultBatch(g)
	}
	return a
}

// bits returns the number of bits of a number in memory.
func (a Algorithm) bits() int {
	switch {
	case a.half || a.vector.Quantized:
		return 16
	case a.vector.Double:
		return 64
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
	case a.method != nil:
		return a.Method().String()
	case a.maxBatch > 0:
		return fmt.Sprintf("%s(%d)", a.name, a.Batch())
	}
	return a.name
}

// DefaultAlgorithm returns an algorithm that trains well with an abstraction of cards and
// betting: without sampling where vectors over all cards are possible.
func DefaultAlgorithm(cards string, actions betting.Actions) Algorithm {
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
