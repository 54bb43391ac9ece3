package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/solvers/strategy"

	"github.com/google/go-cmp/cmp"
)

// sums is a state of one slice.
type sums []float32

func (s sums) WriteState(w io.Writer) error { return WriteSlice(w, s) }
func (s sums) ReadState(r io.Reader) error  { return ReadSlice(r, s) }

func noise(n int) sums {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	s := make(sums, n)
	for i := range s {
		s[i] = float32(rng.NormFloat64())
	}
	return s
}

var kuhn = Meta{
	Meta: strategy.Meta{Game: "kuhn", GameText: "GAMEDEF\n", Abstraction: "lossless", Algorithm: "cfr+", Seed: 3,
		Iterations: 70},
	Seconds: 1.5,
	Curve: []Point{{Iterations: 10, Seconds: .5, Exploitability: .25},
		{Iterations: 20, Seconds: 1, Exploitability: .125}},
}

func written(t *testing.T, s State) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kuhn.checkpoint")
	if err := Write(path, kuhn, s); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 1000, blockSize / 4, blockSize/4 + 1, blockSize} {
		want, got := noise(n), make(sums, n)
		m, err := Read(written(t, want), kuhn, got)
		if err != nil {
			t.Fatalf("%d numbers: %v", n, err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d numbers changed", n)
		}
		if d := cmp.Diff(kuhn, m); d != "" {
			t.Errorf("%d numbers: meta (-written +read):\n%s", n, d)
		}
	}
}

func TestReadOther(t *testing.T) {
	path := written(t, noise(10))
	for what, change := range map[string]func(*Meta){
		"its game is":          func(m *Meta) { m.Game = "leduc" },
		"definition":           func(m *Meta) { m.GameText += "#" },
		"card abstraction":     func(m *Meta) { m.Abstraction = "none" },
		"action abstraction":   func(m *Meta) { m.Actions = "fcpa" },
		`"cfr+", not "linear"`: func(m *Meta) { m.Algorithm = "linear" },
		"seed":                 func(m *Meta) { m.Seed++ },
		"more than 69":         func(m *Meta) { m.Iterations-- },
	} {
		other := kuhn
		change(&other)
		state := make(sums, 10)
		m, err := Read(path, other, state)
		if m.Seconds != kuhn.Seconds {
			t.Errorf("%s: meta %+v", what, m)
		}
		if !errors.Is(err, ErrOtherTraining) || !strings.Contains(err.Error(), what) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", what, err)
		}
		if !slices.Equal(state, make(sums, 10)) {
			t.Errorf("%s: the state was touched", what)
		}
	}
	if _, err := Read(path+"2", kuhn, make(sums, 10)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
	for _, n := range []int{9, 11} {
		if _, err := Read(path, kuhn, make(sums, n)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("a state of %d numbers instead of 10: error %v", n, err)
		}
	}
}

// Every bit counts, and so does every byte at the end.
func TestReadDamaged(t *testing.T) {
	path := written(t, noise(300))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, at int, data []byte, reasons ...error) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path, kuhn, make(sums, 300))
		if !slices.ContainsFunc(reasons, func(reason error) bool { return errors.Is(err, reason) }) {
			t.Errorf("%s at byte %d of %d: error %v", what, at, len(whole), err)
		}
	}
	for at := range whole {
		damaged := slices.Clone(whole)
		damaged[at] ^= 1 << (at % 8)
		refused("damaged", at, damaged, ErrForeign, ErrVersion, ErrTruncated, ErrCorrupt)
		refused("cut", at, whole[:at], ErrTruncated)
	}
	refused("longer", len(whole), append(slices.Clone(whole), 0), ErrCorrupt)
	refused("text", 0, []byte("GAMEDEF"), ErrForeign)
}

// Blocks that are each whole must also be in their order.
func TestReadExchangedBlocks(t *testing.T) {
	front := len(must(os.ReadFile(written(t, sums{})))) - 16 // without the empty block
	block := make(sums, blockSize/4)
	two := append(slices.Clone(block), block...)
	for i := range block {
		two[i], block[i] = 1, 1
	}
	path := written(t, two)
	data := must(os.ReadFile(path))
	first := len(must(os.ReadFile(written(t, block)))) - 16
	exchanged := slices.Concat(data[:front], data[first:len(data)-16], data[front:first], data[len(data)-16:])
	if err := os.WriteFile(path, exchanged, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, kuhn, two); !errors.Is(err, ErrCorrupt) {
		t.Errorf("error %v", err)
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

type failing struct{ sums }

var errStop = errors.New("stopped")

func (f failing) WriteState(w io.Writer) error { return errors.Join(f.sums.WriteState(w), errStop) }

func TestFailedWriteKeepsOldFile(t *testing.T) {
	want := noise(300)
	path := written(t, want)
	if err := Write(path, kuhn, failing{noise(blockSize)}); !errors.Is(err, errStop) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	got := make(sums, 300)
	if _, err := Read(path, kuhn, got); err != nil || !slices.Equal(got, want) {
		t.Errorf("the old checkpoint changed: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}

func TestAfter(t *testing.T) {
	due := time.Duration(0)
	for _, want := range []time.Duration{30e9, 36e9, 43.2e9, 51.84e9} {
		if due = After(due); due != want {
			t.Errorf("due at %v, want %v", due, want)
		}
		if again := After(due - 1); again != want {
			t.Errorf("due at %v just before %v", again, want)
		}
	}
}

// Numbers of any type are written in little endian, and read as they were written.
func TestSlices(t *testing.T) {
	slice(t, func(x uint64) uint8 { return uint8(x) })
	slice(t, func(x uint64) int16 { return int16(x) })
	slice(t, func(x uint64) int32 { return int32(x) })
	slice(t, func(x uint64) uint64 { return x })
	slice(t, func(x uint64) float32 { return float32(int64(x)) })
	slice(t, func(x uint64) float64 { return float64(int64(x)) })
}

func slice[T comparable](t *testing.T, of func(x uint64) T) {
	t.Helper()
	for _, n := range []int{0, 1, 1000} {
		items, read := make([]T, n), make([]T, n)
		for i := range items {
			items[i] = of(uint64(i+1) * 0x9e3779b97f4a7c15)
		}
		var file bytes.Buffer
		if err := WriteSlice(&file, items); err != nil {
			t.Fatal(err)
		}
		if want := must(binary.Append(nil, binary.LittleEndian, items)); !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%d of %T are other bytes than in little endian", n, items)
		}
		short := bytes.NewReader(file.Bytes()[:max(0, file.Len()-1)])
		if err := ReadSlice(&file, read); err != nil || file.Len() > 0 || !slices.Equal(read, items) {
			t.Errorf("%d of %T: %v, %d bytes left", n, items, err, file.Len())
		}
		if err := ReadSlice(short, read); n > 0 && err == nil {
			t.Errorf("%d of %T are read without the last byte", n, items)
		}
	}
}
