package buckets

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"

	"gamebots/acpc"
	"gamebots/internal/atomicfile"

	"github.com/klauspost/compress/zstd"
)

// A file is a magic number, a version and zstd frames with checksums. They have the size of a
// header, the header in JSON, and the arrays that follow from it. The format is described in
// docs/abstraction.md.
const (
	// Magic is what a file begins with. The first byte keeps it from passing for text.
	Magic   = "\x93GBBUCKT"
	version = 1
	ext     = ".buckets"

	maxHeader = 1 << 24
	// readAtOnce bounds the memory that a short file can take. The buckets of a turn of
	// hold'em are just below it.
	readAtOnce  = 1 << 25
	writeAtOnce = 1 << 20
)

// The reasons for which a file is refused. The errors of reading wrap them.
var (
	ErrForeign    = errors.New("not a file of buckets")
	ErrVersion    = errors.New("buckets of an unknown version")
	ErrCorrupt    = errors.New("buckets corrupt")
	ErrUnfinished = errors.New("buckets unfinished")
)

// header is the JSON in a file.
type header struct {
	Deck   Deck          `json:"deck"`
	Recipe Recipe        `json:"recipe"`
	Digest string        `json:"digest"` // "" while rounds are missing
	Rounds []roundHeader `json:"rounds"` // the finished rounds
	// Clustered is whether there are clusters of hole cards.
	Clustered bool `json:"clustered,omitempty"`
}

type roundHeader struct {
	Buckets int    `json:"buckets"`         // number of buckets of the round alone
	Dim     int    `json:"dim,omitempty"`   // coordinates of a centre
	Table   bool   `json:"table,omitempty"` // whether there is a bucket for every hand
	Report  Report `json:"report,omitzero"`
}

// Write writes a file, with the buckets of all hands.
func (t *Table) Write(path string) (err error) {
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Cleanup()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	if err := t.encode(out, zstd.SpeedDefault, func(int) bool { return true }); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Commit()
}

// maxLookup is the number of hands to rank, some fifty microseconds of work, up to which a
// compact table computes a bucket when it is asked for. In hold'em that is the river, whose
// table is by far the largest.
const maxLookup = 1 << 12

// Compact returns the table for a strategy's file: without the buckets that a player can
// compute from the centres in time.
func (t *Table) Compact() ([]byte, error) {
	var out bytes.Buffer
	err := t.encode(&out, zstd.SpeedBetterCompression,
		func(r int) bool { return t.rounds[r].Centres == nil || t.lookupCost(r) > maxLookup })
	return out.Bytes(), err
}

// encode writes the table, with the buckets of all hands in some rounds.
func (t *Table) encode(w io.Writer, level zstd.EncoderLevel, whole func(r int) bool) error {
	h := header{Deck: t.deck, Recipe: t.recipe, Clustered: t.cluster != nil}
	if len(t.rounds) == len(t.recipe.Rounds) {
		h.Digest = fmt.Sprintf("%x", t.digest)
	}
	for r := range t.rounds {
		x := &t.rounds[r]
		rh := roundHeader{Buckets: x.buckets, Table: x.table() != nil && whole(r), Report: x.Report}
		if x.Centres != nil {
			rh.Dim = x.Centres.Dim
		}
		h.Rounds = append(h.Rounds, rh)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	front := binary.LittleEndian.AppendUint32([]byte(Magic), version)
	if _, err := w.Write(front); err != nil {
		return err
	}
	z, err := newFrameWriter(w, level)
	if err != nil {
		return err
	}
	err = errors.Join(put(z, []uint32{uint32(len(text))}), put(z, text))
	if t.cluster != nil {
		err = errors.Join(err, put(z, t.clusterList()))
	}
	for r := range t.rounds {
		x := &t.rounds[r]
		if x.Centres != nil {
			err = errors.Join(err, put(z, x.Centres.Values))
		}
		if h.Rounds[r].Table {
			// frames of its own are read without a copy, or later
			err = errors.Join(err, z.flush(), x.table().Write(z), z.flush())
		}
	}
	return errors.Join(err, z.flush())
}

// put writes numbers in little endian.
func put[T uint8 | uint16 | uint32](w io.Writer, items []T) error {
	var buffer []byte
	for len(items) > 0 {
		n := min(writeAtOnce, len(items))
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, items[:n]) // items of fixed size cannot fail
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		items = items[n:]
	}
	return nil
}

// clusterList returns the clusters of all hole cards in the order of the deck.
func (t *Table) clusterList() (list []uint8) {
	for i := range t.hands.All {
		list = append(list, t.cluster.Of(&t.hands.All[i]))
	}
	return list
}

// computeDigest returns the SHA-256 of all that buckets follow from.
func (t *Table) computeDigest() (sum [sha256.Size]byte) {
	d := sha256.New()
	type what struct {
		Deck          Deck
		PerfectRecall bool
		Bins          int
		Features      []Feature
	}
	w := what{Deck: t.deck, PerfectRecall: t.recipe.PerfectRecall, Bins: t.recipe.Bins}
	for _, x := range t.rounds {
		w.Features = append(w.Features, x.Feature)
	}
	text, _ := json.Marshal(w) // plain values: cannot fail
	d.Write(text)
	if t.cluster != nil {
		d.Write(t.clusterList())
	}
	for r := range t.rounds {
		t.rounds[r].digest(d)
	}
	d.Sum(sum[:0])
	return sum
}

// digest writes what the buckets of a round follow from: centres, or else the buckets.
func (x *round) digest(d hash.Hash) {
	switch {
	case x.Centres != nil:
		_ = put(d, []uint32{uint32(x.buckets)}) // a hash does not fail
		_ = put(d, x.Centres.Values)
	case x.Bucket != nil:
		_ = x.Bucket.Write(d)
	}
}

// IsFile reports whether the name of a card abstraction is that of a file of buckets.
func IsFile(name string) bool { return strings.HasSuffix(name, ext) }

// Open reads a file. The error for a file that package cluster has not finished wraps ErrUnfinished.
func Open(path string) (*Table, error) {
	t, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := t.finished(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// finished returns an error that wraps ErrUnfinished if rounds are missing.
func (t *Table) finished() error {
	if have, all := len(t.rounds), len(t.recipe.Rounds); have < all {
		return fmt.Errorf("%w: %d rounds of %d", ErrUnfinished, have, all)
	}
	return nil
}

func open(path string) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := decode(bufio.NewReaderSize(file, 1<<20), false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// OpenUnfinished reads the rounds that are finished of a recipe for a game. It returns nil where
// there is no file, or one of another recipe.
func OpenUnfinished(path string, g *acpc.Game, r Recipe) (*Table, error) {
	t, err := open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	mine, _ := json.Marshal(r) // plain values: cannot fail
	its, _ := json.Marshal(t.recipe)
	if t.Fits(g) != nil || !bytes.Equal(mine, its) {
		//lint:ignore nilerr the file is one of another recipe
		return nil, nil
	}
	return t, nil
}

// FromCompact reads a table that Compact wrote. The error for one that is not finished wraps
// ErrUnfinished. The buckets of a round are decompressed when one is first asked for. If
// they are damaged, which the checksum of a strategy's file rules out but for malice, the table
// computes them from the centres.
func FromCompact(data []byte) (*Table, error) {
	t, err := decode(bufio.NewReaderSize(bytes.NewReader(data), len(data)), true)
	if err != nil {
		return nil, err
	}
	if err := t.finished(); err != nil {
		return nil, err
	}
	return t, nil
}
