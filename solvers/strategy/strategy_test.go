package strategy

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const kuhnText = `GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
`

// kuhn is an equilibrium of Kuhn poker, with holding check, bet or fold, call
// for each card, the lowest first, at each of the four decisions.
var (
	kuhnMeta = Meta{
		Game: "kuhn", GameText: kuhnText, Abstraction: "none",
		Algorithm: "dcfr", Params: map[string]float64{"alpha": 1.5, "beta": 0, "gamma": 2},
		Seed: 1, Iterations: 1000, Exploitability: new(0.0),
	}
	kuhnValues = []float32{
		0.75, 0.25, 1, 0, 0.25, 0.75, // opening
		2. / 3, 1. / 3, 1, 0, 0, 1, // after a check
		1, 0, 2. / 3, 1. / 3, 0, 1, // after a bet
		1, 0, 5. / 12, 7. / 12, 0, 1, // after a check and a bet
	}
)

// kuhnSets are the information sets of kuhn.
var kuhnSets = []Sets{{Actions: 2, Count: 12}}

// from fills from a slice.
func from(values []float32) func([]float32, uint64) error {
	return func(dst []float32, at uint64) error {
		copy(dst, values[at:])
		return nil
	}
}

// noise returns n probabilities that do not compress to nothing.
func noise(n int) []float32 {
	rng := rand.New(rand.NewPCG(uint64(n), 0))
	values := make([]float32, n)
	for i := range values {
		values[i] = rng.Float32()
	}
	return values
}

// open opens a file and closes it when the test ends.
func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// readAll reads a file's values in one go.
func readAll(t testing.TB, f *File) []float32 {
	t.Helper()
	values := make([]float32, f.Len())
	if err := f.Read(0, values); err != nil {
		t.Fatal(err)
	}
	return values
}

func TestRoundTrip(t *testing.T) {
	const block = 16
	for _, n := range []int{0, 1, block - 1, block, block + 1, 3 * block, (cacheSlots + 2) * block} {
		path := filepath.Join(t.TempDir(), "s")
		want := noise(n)
		if err := write(path, kuhnMeta, uint64(n), block, from(want)); err != nil {
			t.Fatal(err)
		}
		f := open(t, path)
		if diff := cmp.Diff(kuhnMeta, f.Meta()); diff != "" {
			t.Errorf("%d values: metadata (-written +read):\n%s", n, diff)
		}
		if err := f.Verify(); err != nil {
			t.Error(err)
		}
		if got := readAll(t, f); !slices.Equal(got, want) {
			t.Errorf("%d values: read others than written", n)
		}
	}
}

func TestWriteIsReproducible(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, "s")
		if err := Write(path, kuhnMeta, 10_000, from(noise(10_000))); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same strategy gave two different files")
	}
}

// Random ranges, from many goroutines, over more blocks than the cache holds.
func TestConcurrentReads(t *testing.T) {
	const block, n = 8, 8*cacheSlots*3 + 5
	path := filepath.Join(t.TempDir(), "s")
	want := noise(n)
	if err := write(path, kuhnMeta, n, block, from(want)); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	var readers sync.WaitGroup
	for seed := range uint64(8) {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			buffer := make([]float32, 4*block)
			for range 5000 {
				at := rng.IntN(n + 1)
				dst := buffer[:rng.IntN(min(len(buffer), n-at)+1)]
				if err := f.Read(uint64(at), dst); err != nil {
					t.Error(err)
					return
				}
				if !slices.Equal(dst, want[at:at+len(dst)]) {
					t.Errorf("%d values from %d on are others than written", len(dst), at)
					return
				}
			}
		})
	}
	readers.Wait()
}

func TestReadOutside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	if err := Write(path, kuhnMeta, 10, from(noise(10))); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	for _, r := range []struct {
		at uint64
		n  int
	}{{0, 11}, {10, 1}, {11, 0}, {math.MaxUint64, 2}} {
		if err := f.Read(r.at, make([]float32, r.n)); err == nil {
			t.Errorf("reading %d values from %d on of 10: no error", r.n, r.at)
		}
	}
}

func TestClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	if err := Write(path, kuhnMeta, 10, from(noise(10))); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	// Readers that lose the race must be told so, not crash on the mapping.
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				if err := errors.Join(f.Read(0, make([]float32, 10)), f.Verify()); err != nil {
					if !errors.Is(err, fs.ErrClosed) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	readers.Wait()
	if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	if f.Len() != 10 || f.Meta().Game != "kuhn" {
		t.Error("length or metadata lost")
	}
}

func TestCheckGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kuhn.strategy")
	if err := Write(path, kuhnMeta, 24, from(kuhnValues)); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	if err := f.CheckGame(kuhnText); err != nil {
		t.Errorf("the same game: %v", err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a line differs": {strings.Replace(kuhnText, "numRanks = 3", "numRanks = 4", 1),
			`line 10 is "numRanks = 3", not "numRanks = 4"`},
		"shorter": {strings.TrimSuffix(kuhnText, "END GAMEDEF\n"), `line 13 is "END GAMEDEF", not ""`},
		"longer":  {kuhnText + "more\n", `line 14 is "", not "more"`},
		"empty":   {"", `line 1 is "GAMEDEF", not ""`},
	} {
		err := f.CheckGame(c.text)
		if !errors.Is(err, ErrOtherGame) || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExploitabilityNeverMeasured(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	meta := kuhnMeta
	meta.Exploitability = nil
	if err := Write(path, meta, 24, from(kuhnValues)); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path).Meta().Exploitability; got != nil {
		t.Errorf("read as %v", *got)
	}
}
