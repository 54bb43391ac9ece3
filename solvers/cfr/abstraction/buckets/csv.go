package buckets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// ReadCSV reads buckets from a table with a line for each hand: the round, from 1; the hole
// cards, and after a slash the board cards, as in AsKs/2c3d4h; and the bucket, from 0. One
// line stands for all hands that a renaming of the suits makes of it. A first line without
// numbers is skipped. Rounds without lines have all hands apart; in others no hand may be
// missing.
func ReadCSV(in io.Reader, name string, g *acpc.Game) (*Table, error) {
	d := DeckOf(g)
	r := Recipe{Name: name, Rounds: make([]Round, g.NumRounds)}
	for i := range r.Rounds {
		r.Rounds[i].Feature = Hands
	}
	if err := r.Check(g); err != nil {
		return nil, err
	}
	t := &csvTable{Table: newTable(d, r)}
	for i := range r.Rounds {
		index, err := d.Index(d.Board[i])
		if err != nil {
			return nil, err
		}
		t.rounds = append(t.rounds, round{Made: Made{Round: r.Rounds[i], Index: index}, buckets: index.Size()})
	}
	lines := csv.NewReader(in)
	lines.FieldsPerRecord, lines.ReuseRecord, lines.Comment = 3, true, '#'
	for first := true; ; first = false {
		fields, err := lines.Read()
		if err == io.EOF {
			break
		}
		if e := (*csv.ParseError)(nil); errors.As(err, &e) {
			return nil, fmt.Errorf("line %d: %w", e.Line, e.Err)
		}
		if err != nil {
			return nil, err
		}
		if first && !strings.ContainsAny(fields[0]+fields[2], "0123456789") {
			continue
		}
		if err := t.line(fields); err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if err := t.finish(); err != nil {
		return nil, err
	}
	return t.Table, nil
}

// csvTable is a table that is being read.
type csvTable struct {
	*Table
	// bucket is, by round and number of a hand, one more than its bucket, and 0 where there is
	// none yet. Rounds without lines have nil.
	bucket [acpc.MaxRounds][]uint32
}

// line takes the fields of a line.
func (t *csvTable) line(fields []string) error {
	r, err := strconv.Atoi(strings.TrimSpace(fields[0]))
	if err != nil || r < 1 || r > len(t.rounds) {
		return fmt.Errorf("%q is not a round from 1 to %d", fields[0], len(t.rounds))
	}
	bucket, err := strconv.Atoi(strings.TrimSpace(fields[2]))
	if err != nil || bucket < 0 || bucket >= maxBuckets {
		return fmt.Errorf("%q is not a bucket from 0 to %d", fields[2], maxBuckets-1)
	}
	text, after, _ := strings.Cut(strings.TrimSpace(fields[1]), "/")
	hole, err := card.ParseSet(text)
	if err != nil {
		return err
	}
	board, err := card.ParseSet(strings.ReplaceAll(after, "/", ""))
	if err != nil {
		return err
	}
	if hole.Len() != t.deck.Hole || board.Len() != t.deck.Board[r-1] || hole&board != 0 ||
		(hole|board)&^t.hands.Set != 0 {
		return fmt.Errorf(
			"%s is not a hand of round %d: want %d hole cards and %d board cards of the deck, all different", fields[1],
			r, t.deck.Hole, t.deck.Board[r-1])
	}
	x := &t.rounds[r-1]
	if t.bucket[r-1] == nil {
		t.bucket[r-1] = make([]uint32, x.Index.Size())
	}
	at := &t.bucket[r-1][x.Index.Of(hole, board)]
	if *at > 0 && *at != uint32(bucket)+1 {
		return fmt.Errorf("%s is in bucket %d, and up to the names of suits it was in %d before", fields[1], bucket,
			*at-1)
	}
	*at = uint32(bucket) + 1
	return nil
}

// finish makes the rounds that have lines.
func (t *csvTable) finish() error {
	for r := range t.rounds {
		list := t.bucket[r]
		if list == nil {
			continue
		}
		x := &t.rounds[r]
		if missing := slices.Index(list, 0); missing >= 0 {
			hole, board, _ := x.Index.At(missing)
			return fmt.Errorf("round %d has no bucket for %s", r+1, handText(hole, board))
		}
		x.Feature, x.buckets = Given, int(slices.Max(list))
		t.recipe.Rounds[r].Feature = Given
		x.Bucket = NewNumbers(len(list), uint32(x.buckets-1))
		for i, b := range list {
			x.Bucket.Set(i, b-1)
		}
		t.bucket[r] = nil
	}
	t.digest = t.computeDigest()
	return nil
}

// handText returns a hand as a line of a table has it.
func handText(hole, board card.Set) string {
	if board == 0 {
		return hole.String()
	}
	return hole.String() + "/" + board.String()
}
