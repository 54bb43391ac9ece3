package checkpoint

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"gamebots/solvers/strategy"

	"github.com/klauspost/compress/zstd"
)

// Read reads the state of the wanted training from a checkpoint file, and returns the
// file's metadata, with an ErrOtherTraining too. want.Iterations is the largest number of
// iterations that the checkpoint may have; 0 is any number. For a missing file the error
// is an [os.ErrNotExist].
func Read(path string, want Meta, s State) (Meta, error) {
	file, err := os.Open(path)
	if err != nil {
		return Meta{}, err
	}
	defer file.Close()
	m, err := read(bufio.NewReader(file), want, s)
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Verify reads a whole checkpoint file of any training, checks its checksums, and returns
// the file's metadata.
func Verify(path string) (Meta, error) {
	file, err := os.Open(path)
	if err != nil {
		return Meta{}, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	m, err := readMeta(in)
	if err == nil {
		err = readState(in, discarded{})
	}
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// discarded is a state that is read and not kept.
type discarded struct{}

func (discarded) WriteState(io.Writer) error { return nil }

func (discarded) ReadState(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func read(file io.Reader, want Meta, s State) (Meta, error) {
	m, err := readMeta(file)
	if err != nil {
		return m, err
	}
	if err := m.check(want); err != nil {
		return m, err
	}
	return m, readState(file, s)
}

// readState reads the blocks of a file.
func readState(file io.Reader, s State) error {
	decompressor, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	defer decompressor.Close()
	r := &blockReader{file: file, decompressor: decompressor}
	if err := s.ReadState(r); err != nil {
		switch {
		case errors.Is(err, ErrVersion):
			return err
		case r.err == nil || r.err == io.EOF: // the file is whole
			return fmt.Errorf("%w: its state does not fit: %w", ErrCorrupt, err)
		}
		return r.err // a state in parts has the same error for each
	}
	// Nothing may follow, neither of the state nor in the file.
	switch n, err := r.Read(make([]byte, 1)); {
	case n > 0:
		return fmt.Errorf("%w: more state than its training has", ErrCorrupt)
	case err != io.EOF:
		return err
	}
	if n, _ := file.Read(make([]byte, 1)); n > 0 {
		return fmt.Errorf("%w: bytes after the end", ErrCorrupt)
	}
	return nil
}

func readMeta(file io.Reader) (Meta, error) {
	var m Meta
	var p preamble
	front := make([]byte, binary.Size(p))
	n, err := io.ReadFull(file, front)
	if prefix := string(front[:min(n, len(Magic))]); prefix != Magic[:len(prefix)] {
		return m, ErrForeign
	}
	if err != nil {
		return m, truncated(err)
	}
	_, _ = binary.Decode(front, binary.LittleEndian, &p) // the bytes are there: cannot fail
	if p.Version != version {
		return m, fmt.Errorf("%w: %d, this program knows %d", ErrVersion, p.Version, version)
	}
	if p.MetaSize > maxMeta {
		return m, fmt.Errorf("%w: %d bytes of metadata", ErrCorrupt, p.MetaSize)
	}
	meta, err := io.ReadAll(io.LimitReader(file, int64(p.MetaSize)))
	if err != nil || len(meta) < int(p.MetaSize) {
		return m, truncated(err)
	}
	if p.sum(meta) != p.Sum {
		return m, fmt.Errorf("%w: the metadata do not match their checksum", ErrCorrupt)
	}
	if err := json.Unmarshal(meta, &m); err != nil {
		return m, fmt.Errorf("%w: metadata: %w", ErrCorrupt, err)
	}
	return m, nil
}

// truncated returns ErrTruncated for the end of a file, and other errors as they are.
func truncated(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// blockReader joins the blocks of a file.
type blockReader struct {
	file         io.Reader
	decompressor *zstd.Decoder
	stored       []byte
	raw, rest    []byte // the last block, and the part of it that was not read yet
	number       uint64
	err          error // the first, which stays; io.EOF after the last block
}

func (r *blockReader) Read(dst []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		r.err = r.next()
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(dst, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// next reads a block, and returns io.EOF for the empty one.
func (r *blockReader) next() error {
	var b blockHead
	head := make([]byte, binary.Size(b))
	if _, err := io.ReadFull(r.file, head); err != nil {
		return truncated(err)
	}
	_, _ = binary.Decode(head, binary.LittleEndian, &b) // the bytes are there: cannot fail
	fail := func(why string) error { return fmt.Errorf("%w: block %d %s", ErrCorrupt, r.number, why) }
	if b.Raw > blockSize || b.Stored > 2*blockSize {
		return fail("is too large")
	}
	r.stored = append(r.stored[:0], make([]byte, b.Stored)...)
	if _, err := io.ReadFull(r.file, r.stored); err != nil {
		return truncated(err)
	}
	if b.sum(r.number, r.stored) != b.Sum {
		return fail("does not match its checksum")
	}
	if b.Raw == 0 {
		return io.EOF
	}
	if r.raw == nil {
		r.raw = make([]byte, blockSize)
	}
	raw, err := r.decompressor.DecodeAll(r.stored, r.raw[:0:b.Raw])
	if err != nil || len(raw) != int(b.Raw) {
		return fail("does not decompress to its size")
	}
	r.rest, r.number = raw, r.number+1
	return nil
}

// Meta describes a training and how far it is.
type Meta struct {
	// Meta is the metadata of the strategy's file. Iterations are those done, and
	// Exploitability is not set.
	strategy.Meta
	// Seconds is the time spent on training, in all runs together.
	Seconds float64 `json:"seconds"`
	// Curve has the evaluations so far, in the order in which they were made.
	Curve []Point `json:"curve,omitempty"`
}

// Point is one evaluation.
type Point struct {
	Iterations     uint64  `json:"iterations"`
	Seconds        float64 `json:"seconds"`
	Exploitability float64 `json:"exploitability"` // chips a hand, for the average strategy
	// Current is the exploitability of the current strategy, nil where it was not evaluated.
	Current *float64 `json:"current,omitempty"`
	// Values are those of the average strategy by position, nil where they are unknown.
	Values []float64 `json:"values,omitempty"`
}

// check returns an error if a checkpoint is not of the wanted training, or has more
// iterations than wanted, if that is not 0.
func (m Meta) check(want Meta) error {
	for _, c := range []struct{ what, in, want string }{
		{"game", m.Game, want.Game},
		{"definition of the game", m.GameText, want.GameText},
		{"card abstraction", m.Abstraction, want.Abstraction},
		{"action abstraction", m.Actions, want.Actions},
		{"algorithm", m.Algorithm, want.Algorithm},
		{"seed", fmt.Sprint(m.Seed), fmt.Sprint(want.Seed)},
	} {
		if c.in != c.want {
			return fmt.Errorf("%w: its %s is %q, not %q", ErrOtherTraining, c.what, c.in, c.want)
		}
	}
	if want.Iterations > 0 && m.Iterations > want.Iterations {
		return fmt.Errorf("%w: it has %d iterations, more than %d", ErrOtherTraining, m.Iterations, want.Iterations)
	}
	return nil
}

// The reasons for which a file is refused. The errors of Read wrap them and add the
// file and the details.
var (
	ErrForeign       = errors.New("not a checkpoint")
	ErrVersion       = errors.New("checkpoint of an unknown version")
	ErrTruncated     = errors.New("checkpoint cut short")
	ErrCorrupt       = errors.New("checkpoint corrupt")
	ErrOtherTraining = errors.New("checkpoint of another training")
)

// The reasons for which [Claim] refuses a file that exists.
var (
	ErrOccupied     = errors.New("exists")
	ErrNoCheckpoint = errors.New("has no checkpoint to continue from")
)
