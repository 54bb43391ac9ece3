package nash

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/labels"
)

// A Method is a way to search for equilibria.
type Method string

// The methods. Nguyen and Grosu are published programs that solve every pair of
// supports by itself; they are there for comparison.
const (
	Auto   Method = "auto" // Labels
	Labels Method = "labels"
	Nguyen Method = "nguyen" // Nguyen (2015): serial, on threads, and on a GPU
	Grosu  Method = "grosu"  // Rampersaud, Mashayekhy and Grosu (2014): on a GPU
	// LemkeHowson finds one equilibrium only, in a fraction of the time.
	LemkeHowson Method = "lemke-howson"
)

// gone are the names of methods that went with 0.3.0.
var gone = []Method{"support", "polymatrix", "global-newton", "logit"}

// ParseMethod returns the method with a name.
func ParseMethod(s string) (Method, error) {
	switch m := Method(s); m {
	case Auto, Labels, LemkeHowson, Nguyen, Grosu:
		return m, nil
	}
	if slices.Contains(gone, Method(s)) {
		return "", fmt.Errorf("method %q went with 0.3.0 (the last commit with it is 5b68c516)", s)
	}
	return "", fmt.Errorf("%q is not one of %s, %s, %s, %s, %s", s, Auto, Labels, LemkeHowson, Nguyen, Grosu)
}

// programs are the kernels of the published programs.
var programs = map[Method]nashgpu.Method{Nguyen: nashgpu.Nguyen, Grosu: nashgpu.Grosu}

// A DegeneracyTest says which games are tested for degeneracy, which takes three times
// as long for each additional strategy of both players.
type DegeneracyTest string

// The values of DegeneracyTest.
const (
	TestAuto   DegeneracyTest = "auto" // games of at most 40 strategies, those of both players together
	TestAlways DegeneracyTest = "always"
	TestNever  DegeneracyTest = "never"
)

// maxTested is the largest number of strategies of both players for TestAuto.
const maxTested = 40

// ParseDegeneracyTest returns the test with a name.
func ParseDegeneracyTest(s string) (DegeneracyTest, error) {
	switch t := DegeneracyTest(s); t {
	case TestAuto, TestAlways, TestNever:
		return t, nil
	}
	return "", fmt.Errorf("%q is not one of %s, %s, %s", s, TestAuto, TestAlways, TestNever)
}

// Options configure Solve. The zero value is the method Auto on all cores.
type Options struct {
	Method  Method       // default Auto
	Threads int          // default GOMAXPROCS
	Order   labels.Order // order in which the method Labels branches
	// Device is the GPU to search on, nil for the CPU. Candidates are verified on
	// Threads CPU threads.
	Device *cudalib.Device
	// BlockThreads is the number of threads of a block of Nguyen's and Grosu's
	// kernels. Default 512, as in Nguyen's measurements.
	BlockThreads int
	// SkipChecks omits the steps that only confirm the result: the search in a second
	// order, the test for degeneracy, and the second proof of each equilibrium.
	SkipChecks bool
	// TestDegeneracy says which games are tested for degeneracy. An equilibrium that is
	// degenerate is found in any case.
	TestDegeneracy DegeneracyTest
	// Progress is updated during the search.
	Progress *Progress

	limits nashgpu.Limits // for tests
}

// withDefaults returns the options with defaults for zero values.
func (o Options) withDefaults() Options {
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	o.TestDegeneracy = cmp.Or(o.TestDegeneracy, TestAuto)
	o.Method = cmp.Or(o.Method, Auto)
	if o.Method == Auto {
		o.Method = Labels
	}
	return o
}

// DeviceWorthwhile reports whether a GPU is expected to be faster for a game than a few cores,
// including its start, and why it is not.
func (o Options) DeviceWorthwhile(g *bimatrix.Game) (worthwhile bool, reason string) {
	from, to := 14, nashgpu.MaxStrategies // strategies of a player
	switch o.Method {
	case Auto, Labels, "":
		from, to = 26, math.MaxInt
	case LemkeHowson:
		return false, "lemke-howson is for the CPU"
	case Grosu: // it runs nowhere else
		from = 0
	}
	size := max(g.Rows, g.Cols)
	if size > to {
		return false, fmt.Sprintf("%d strategies of a player, and a GPU takes %d at most", size, to)
	}
	return size >= from, fmt.Sprintf("%d strategies of a player, and a GPU gains from %d on", size, from)
}

// progressUnits is the progress of a whole search.
const progressUnits = 1 << 60

// Progress is how far a search is. Any goroutine may read it at any time.
type Progress struct {
	units atomic.Uint64
	found atomic.Int64
}

// Part estimates the share of the search that is done, from 0 to 1.
func (p *Progress) Part() float64 { return min(1, float64(p.units.Load())/progressUnits) }

// Found returns the number of equilibria found so far.
func (p *Progress) Found() int { return int(p.found.Load()) }

func (p *Progress) add(part float64) { p.units.Add(uint64(part * progressUnits)) }

func (p *Progress) reset() {
	p.units.Store(0)
	p.found.Store(0)
}
