package buckets_test

import (
	"fmt"
	"strings"
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

// indexOf numbers the hands of the small game with board cards.
func indexOf(t *testing.T, board int) *abstraction.SuitIndex {
	t.Helper()
	g := small
	index, err := abstraction.NewSuitIndex(g.NumSuits, g.NumRanks, g.NumHoleCards, board)
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// lines returns a table of the second round of a game, with the number of a hand modulo so
// many as its bucket.
func lines(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("round,cards,bucket\n")
	index := indexOf(t, 2)
	for i := range index.Size() {
		hole, board, _ := index.At(i)
		fmt.Fprintf(&text, "2,%v/%v,%d\n", hole, board, i%n)
	}
	return text.String()
}

func TestReadCSV(t *testing.T) {
	table, err := buckets.ReadCSV(strings.NewReader(lines(t, 7)), "own", small)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := table.NumBuckets(0), table.NumBuckets(1); a != indexOf(t, 0).Size() || b != 7 {
		t.Errorf("%d and %d buckets", a, b)
	}
	data, err := table.Compact()
	if err != nil {
		t.Fatal(err)
	}
	read, err := buckets.FromCompact(data)
	if err != nil || !bucketstest.Equal(t, read, table) || read.Name() != table.Name() {
		t.Fatalf("other buckets are read than were written: %v", err)
	}
	index := indexOf(t, 2)
	for i := range index.Size() {
		hole, board, _ := index.At(i)
		d := abstraction.Deal{Hole: hole}
		d.Board[1] = board
		if b := read.Bucket(1, d); b != i%7 {
			t.Fatalf("bucket %d of hand %d", b, i)
		}
	}
}

func TestReadCSVRefuses(t *testing.T) {
	whole := lines(t, 3)
	last := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	rows := strings.Count(whole, "\n")
	for _, test := range []struct {
		text string
		line int
		want string
	}{
		{whole[:last], 0, "round 2 has no bucket for "},
		{whole + "3,AsKs,1\n", rows + 1, `"3" is not a round`},
		{whole + "2,AsKs/AhKh,x\n", rows + 1, `"x" is not a bucket`},
		{whole + "2,AsKs/AhKh,16777216\n", rows + 1, "is not a bucket"},
		{whole + "2,AsKs/AhKh,-1\n", rows + 1, "is not a bucket"},
		{whole + "2,AsKs/AhKz,1\n", rows + 1, "Kz"},
		{whole + "2,AsKs/AhAh,1\n", rows + 1, "twice"},
		{whole + "2,AsKs/AhAs,1\n", rows + 1, "not a hand of round 2"},
		{whole + "2,AsKs/Ah,1\n", rows + 1, "not a hand of round 2"},
		{whole + "2,AsKs/Ah2h,1\n", rows + 1, "not a hand of round 2"},
		{whole + "2,AsKs/AhK,1\n", rows + 1, "not a rank and a suit"},
		{whole + "2,AsKs/AhKh\n", rows + 1, "wrong number of fields"},
		{whole + "\"2\"x,AsKs/AhKh,1\n", rows + 1, "in quoted-field"},
	} {
		_, err := buckets.ReadCSV(strings.NewReader(test.text), "own", small)
		at := ""
		if test.line > 0 {
			at = fmt.Sprintf("line %d: ", test.line)
		}
		if err == nil || !strings.HasPrefix(err.Error(), at) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want line %d: …%s…", test.text[len(test.text)-20:], err, test.line, test.want)
		}
	}
	// All hands that are one up to the names of suits have one bucket.
	conflict := "1,AsAh,0\n1,AdAh,1\n"
	if _, err := buckets.ReadCSV(strings.NewReader(conflict), "own", small); err == nil ||
		!strings.Contains(err.Error(), "up to the names of suits") {
		t.Errorf("two buckets of one hand: %v", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("round,cards,bucket\n1,AsKs,0\n")
	f.Add("2,AsKs/AhKh,3\n# comment\n")
	f.Add("\"1\"x,AsKs,0\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := buckets.ReadCSV(strings.NewReader(text), "own", small)
		if err == nil && (table.NumBuckets(0) < 1 || table.NumBuckets(1) < 1) {
			t.Fatalf("%q has no buckets", text)
		}
	})
}
