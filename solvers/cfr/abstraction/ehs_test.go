package abstraction

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// shortDeck is hold'em with the cards from the nine up.
var shortDeck = game(2, 4, 6, 2, 0, 3, 1, 1)

func openEHS(t *testing.T, name, folder string) (q *EHS, made bool) {
	t.Helper()
	q, err := OpenEHS(shortDeck, name, folder, func(part float64) {
		made = true
		if !(part >= 0 && part <= 1) {
			t.Errorf("told of the part %v", part)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return q, made
}

// dealt returns a random deal up to a round.
func dealt(rng *rand.Rand, round int) Deal {
	deck := shortDeck.Deck()
	rng.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	d := Deal{Hole: card.SetOf(deck[:2]...)}
	at := 2
	for r := range round + 1 {
		k := int(shortDeck.NumBoardCards[r])
		d.Board[r] = card.SetOf(deck[at : at+k]...)
		at += k
	}
	return d
}

// expected returns the expected strength of a deal by going through all cards
// to come and all other hands.
func expected(d Deal) float64 {
	board := d.Board[0] | d.Board[1] | d.Board[2] | d.Board[3]
	deck := shortDeck.Deck()
	if board.Len() < 5 {
		sum, n := 0.0, 0.0
		for _, c := range deck {
			if !(board | d.Hole).Has(c) {
				next := d
				next.Board[3] |= c.Bit()
				sum += expected(next)
				n++
			}
		}
		return sum / n
	}
	own, sum, n := hand.ACPC.Rank(board|d.Hole), 0.0, 0.0
	rest := slices.DeleteFunc(deck, board.Has)
	card.Subsets(rest, 2, func(other card.Set) {
		switch rank := hand.ACPC.Rank(board | other); {
		case rank < own:
			sum++
		case rank == own:
			sum += .5
		}
		n++
	})
	return sum / n
}

// TestEHSBuckets compares the buckets with strengths computed one by one: they
// are percentiles, the same under other names of the suits, and ascend.
func TestEHSBuckets(t *testing.T) {
	const n = 12
	q, _ := openEHS(t, "quick(12,12,12)", t.TempDir())
	rng := rand.New(rand.NewPCG(2, 2))
	for round := 1; round <= 3; round++ {
		const deals = 1500
		var lowest, highest [n]float64
		for b := range lowest {
			lowest[b], highest[b] = math.Inf(1), math.Inf(-1)
		}
		var met [n]float64
		for range deals {
			d := dealt(rng, round)
			bucket := q.Bucket(round, d)
			if bucket < 0 || bucket >= q.NumBuckets(round) {
				t.Fatalf("round %d: bucket %d of %v", round, bucket, d)
			}
			renamed := canonBySuit(&d)
			if other := q.Bucket(round, renamed); other != bucket {
				t.Fatalf("round %d: %v in bucket %d, %v in %d", round, d, bucket, renamed, other)
			}
			x := expected(d)
			lowest[bucket], highest[bucket] = min(lowest[bucket], x), max(highest[bucket], x)
			met[bucket]++
		}
		for b := range n {
			if b > 0 && highest[b-1] > lowest[b]+1e-12 {
				t.Errorf("round %d: strength %v in bucket %d, %v in bucket %d", round, highest[b-1], b-1, lowest[b], b)
			}
			// Ties of strength leave buckets uneven, least so on the flop.
			if sd := math.Sqrt(deals / n); math.Abs(met[b]-deals/n) > 5*sd+deals/n/3 {
				t.Errorf("round %d: %v of %d deals in bucket %d", round, met[b], deals, b)
			}
		}
	}
	seen := map[int]bool{}
	for range 2000 {
		seen[q.Bucket(0, dealt(rng, 0))] = true
	}
	if len(seen) != 36 || q.NumBuckets(0) != 36 {
		t.Errorf("%d of %d buckets before the flop, want 36", len(seen), q.NumBuckets(0))
	}
	for round, d := range []Deal{
		{Hole: card.SetOf(card.New(12, 0))},
		{Hole: card.SetOf(card.New(12, 0), card.New(12, 1)),
			Board: [4]card.Set{1: card.SetOf(card.New(12, 0), 47, 46)}},
		{Hole: card.SetOf(card.New(12, 0), card.New(12, 1))},
		{Hole: card.SetOf(card.New(0, 0), card.New(12, 1)), Board: [4]card.Set{1: card.SetOf(40, 41, 42, 43, 44)}},
	} {
		if b := q.Bucket(round, d); b != -1 {
			t.Errorf("impossible cards %v are in bucket %d of round %d", d, b, round)
		}
	}
}

// TestEHSFile makes the buckets once, and again where the file is damaged.
func TestEHSFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "deep", "er")
	first, made := openEHS(t, "quick", folder)
	if !made || first.Name() != "quick(50,50,50)" {
		t.Errorf("%s was made: %v", first.Name(), made)
	}
	same := func(q *EHS) bool {
		return slices.Equal(q.onFlop, first.onFlop) && slices.Equal(q.onTurn, first.onTurn) &&
			slices.Equal(q.onRiver, first.onRiver)
	}
	second, made := openEHS(t, first.Name(), folder)
	if made || !same(second) {
		t.Errorf("made again: %v, the same: %v", made, same(second))
	}
	if other, made := openEHS(t, "quick(50,50,1)", folder); !made || other.NumBuckets(3) != 1 ||
		other.Bucket(3, dealt(rand.New(rand.NewPCG(1, 1)), 3)) != 0 {
		t.Error("another number of buckets was not computed again")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*50,50,50*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(files[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
	if third, made := openEHS(t, "quick", folder); !made || !same(third) {
		t.Errorf("after damage made: %v, the same: %v", made, same(third))
	}
	if fourth, made := openEHS(t, "quick", "/dev/null/folder"); !made || !same(fourth) {
		t.Errorf("without a folder made: %v, the same: %v", made, same(fourth))
	}
	// Any number of threads gives the same.
	alone, err := newEHS(shortDeck, "quick")
	if err != nil {
		t.Fatal(err)
	}
	alone.build(1, nil)
	if !same(alone) {
		t.Error("one thread makes other buckets")
	}
}

// A file with buckets that the abstraction does not have is not used, and without a home
// there is no file that another user could have put there.
func TestEHSUntrusted(t *testing.T) {
	folder := t.TempDir()
	q, _ := openEHS(t, "quick(3,3,3)", folder)
	file, err := q.file(folder)
	if err != nil {
		t.Fatal(err)
	}
	meta := checkpoint.Meta{Meta: strategy.Meta{Abstraction: q.Name(), Algorithm: ehsVersion}}
	for name, spoil := range map[string]func(*EHS){
		"flop":  func(e *EHS) { e.onFlop[7] = 3 },
		"turn":  func(e *EHS) { e.onTurn[7] = 255 },
		"river": func(e *EHS) { e.onRiver[6], e.onRiver[7] = math.MaxInt32, 1 },
	} {
		evil, err := newEHS(shortDeck, q.Name())
		if err != nil {
			t.Fatal(err)
		}
		evil.onFlop, evil.onTurn, evil.onRiver = slices.Clone(q.onFlop), slices.Clone(q.onTurn), slices.Clone(q.onRiver)
		spoil(evil)
		if err := checkpoint.Write(file, meta, evil); err != nil {
			t.Fatal(err)
		}
		if _, err := checkpoint.Read(file, meta, evil); err == nil {
			t.Errorf("%s: a file with wrong buckets is used", name)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	if file, err := q.file(""); err == nil && runtime.GOOS == "linux" {
		t.Errorf("without a home the file is %s", file)
	}
}

// Classes order hands as their ranks do.
func TestClasses(t *testing.T) {
	deck, rng := card.Deck(card.NumSuits, card.NumRanks), rand.New(rand.NewPCG(3, 3))
	rank := func() int {
		rng.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		return hand.ACPC.Rank(card.SetOf(deck[:7]...))
	}
	last := rank()
	for range 100_000 {
		next := rank()
		if a, b := classOf(last), classOf(next); cmp.Compare(a, b) != cmp.Compare(last, next) || b < 1 ||
			b >= numClasses {
			t.Fatalf("ranks %#x and %#x have classes %d and %d of %d", last, next, a, b, numClasses)
		}
		last = next
	}
}

func TestEHSRefuses(t *testing.T) {
	for name, want := range map[string]string{
		"quick(0,1,1)": "0 buckets", "quick(1,257,1)": "257 buckets", "quick(1,2)": "unknown", "quicker": "unknown",
		"quick(1,1,99999999999999999999)": "buckets",
	} {
		if _, err := OpenEHS(shortDeck, name, t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := OpenEHS(leduc, "quick", t.TempDir(), nil); err == nil ||
		!strings.Contains(err.Error(), "for hold'em") {
		t.Errorf("leduc: error %v", err)
	}
}

// BenchmarkPrepare prepares the cards of hold'em on one core.
func BenchmarkPrepare(b *testing.B) {
	holdem := game(2, 4, 13, 2, 0, 3, 1, 1)
	for b.Loop() {
		q, err := newEHS(holdem, "quick")
		if err != nil {
			b.Fatal(err)
		}
		q.build(1, nil)
	}
}

func BenchmarkEHS(b *testing.B) {
	q, err := OpenEHS(shortDeck, "quick", b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 4 {
		var deals [256]Deal
		for i := range deals {
			deals[i] = dealt(rng, round)
		}
		b.Run([]string{"preflop", "flop", "turn", "river"}[round], func(b *testing.B) {
			i := 0
			for b.Loop() {
				i += q.Bucket(round, deals[i%256]) + 1
			}
		})
	}
}
