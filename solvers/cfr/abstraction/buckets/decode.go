package buckets

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"gamebots/internal/memory"
	"gamebots/internal/parallel"
)

// decode reads a file. If lazy is set, buckets that also follow from centres are decompressed
// when one is first asked for.
func decode(r *bufio.Reader, lazy bool) (*Table, error) {
	front := make([]byte, len(Magic)+4)
	if _, err := io.ReadFull(r, front); err != nil || string(front[:len(Magic)]) != Magic {
		return nil, ErrForeign
	}
	if v := binary.LittleEndian.Uint32(front[len(Magic):]); v != version {
		return nil, fmt.Errorf("%w: %d, this program knows %d", ErrVersion, v, version)
	}
	t, err := decodeFrames(r, lazy)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return t, nil
}

func decodeFrames(r *bufio.Reader, lazy bool) (*Table, error) {
	z, err := newFrameReader(r)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	t, err := decodeBody(z, lazy)
	if err == nil {
		if _, end := io.ReadFull(z, make([]byte, 1)); end != io.EOF { // the checksum is at the end
			err = errors.New("a wrong checksum, or bytes after the end")
		}
	}
	return t, err
}

func decodeBody(r io.Reader, lazy bool) (*Table, error) {
	size, err := get[uint32](r, 1)
	if err != nil {
		return nil, err
	}
	if size[0] > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes", size[0])
	}
	text, err := get[uint8](r, int(size[0]))
	if err != nil {
		return nil, err
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	t := newTable(h.Deck, h.Recipe)
	if h.Clustered {
		if err := t.readClusters(r); err != nil {
			return nil, err
		}
	}
	for i := range h.Rounds {
		if err := t.readRound(r, i, &h.Rounds[i], lazy); err != nil {
			return nil, fmt.Errorf("round %d: %w", i+1, err)
		}
	}
	if h.Digest != "" {
		if t.digest = t.computeDigest(); h.Digest != fmt.Sprintf("%x", t.digest) {
			return nil, errors.New("the digest does not match")
		}
	}
	return t, nil
}

// check returns an error for values that no table has.
func (h *header) check() error {
	if err := h.Deck.Check(); err != nil {
		return err
	}
	switch r := &h.Recipe; {
	case len(r.Rounds) != len(h.Deck.Board) || len(h.Rounds) > len(r.Rounds):
		return errors.New("the numbers of rounds differ")
	case r.Bins < 0 || r.Bins > maxBins || r.Clusters < 0 || r.Clusters > maxClusters:
		return errors.New("the recipe is impossible")
	case (h.Digest == "") != (len(h.Rounds) < len(r.Rounds)):
		return errors.New("a digest belongs to all rounds")
	}
	return nil
}

func (t *Table) readClusters(r io.Reader) error {
	list, err := get[uint8](r, len(t.hands.All))
	if err != nil {
		return err
	}
	t.cluster = new(Clusters)
	for i, c := range list {
		if int(c) >= t.recipe.Clusters {
			return fmt.Errorf("cluster %d of %d", c, t.recipe.Clusters)
		}
		h := &t.hands.All[i]
		t.cluster[h.Lo][h.Hi] = c
	}
	return nil
}

// readRound adds a round; lazy is as for decode.
func (t *Table) readRound(r io.Reader, i int, h *roundHeader, lazy bool) error {
	x := round{Made: Made{Round: t.recipe.Rounds[i], Report: h.Report}, buckets: h.Buckets}
	var err error
	if x.Index, err = t.deck.Index(t.deck.Board[i]); err != nil {
		return err
	}
	if x.buckets < 1 || x.buckets > min(x.Index.Size(), maxBuckets) { // a wrong number must not take memory
		return fmt.Errorf("%d buckets", x.buckets)
	}
	dim := 0
	switch {
	case x.Feature == Hands && x.buckets == x.Index.Size() && !h.Table:
	case x.Feature == Given && h.Table:
	case x.Feature == Histogram:
		dim = t.recipe.Bins - 1
	case x.Feature == OCHS && t.cluster != nil && t.deck.Board[i] == t.deck.Full():
		dim = t.recipe.Clusters
	default:
		return fmt.Errorf("the feature %q does not fit its arrays", x.Feature)
	}
	if h.Dim != dim || x.Feature == Histogram && dim < 1 {
		return fmt.Errorf("centres of %d coordinates", h.Dim)
	}
	if dim > 0 {
		if x.buckets > maxCoordinates/dim {
			return fmt.Errorf("%d buckets with centres of %d coordinates", x.buckets, dim)
		}
		values, err := get[uint16](r, x.buckets*dim)
		if err != nil {
			return err
		}
		metric := L1
		if x.Feature == OCHS {
			metric = L2
		}
		var sorted bool
		if x.Centres, sorted = NewCentres(metric, dim, values); !sorted {
			return errors.New("the centres are not in order")
		}
	}
	if h.Table {
		n, largest := x.Index.Size(), uint32(x.buckets-1)
		if frames, ok := r.(*frameReader); ok && lazy && x.Centres != nil {
			x.later, err = numbersLater(frames, n, largest)
		} else {
			x.Bucket, err = readNumbers(r, n, largest)
		}
		if err != nil {
			return err
		}
	}
	t.rounds = append(t.rounds, x)
	if n := t.NumBuckets(i); n > maxBuckets {
		return fmt.Errorf("%d buckets with those of the rounds before", n)
	}
	return nil
}

// get reads n numbers of put.
func get[T uint8 | uint16 | uint32](r io.Reader, n int) ([]T, error) {
	bytes, err := getBytes(r, n*binary.Size(T(0)))
	if err != nil {
		return nil, err
	}
	if items, ok := any(bytes).([]T); ok {
		return items, nil
	}
	items := make([]T, n)
	_, _ = binary.Decode(bytes, binary.LittleEndian, items) // the bytes are there: cannot fail
	return items, nil
}

// getBytes reads n bytes. Beyond readAtOnce it takes at most eight times the memory of what
// there is to read.
func getBytes(r io.Reader, n int) (bytes []byte, err error) {
	for len(bytes) < n {
		longer := memory.MakeTable[byte](min(max(readAtOnce, 8*len(bytes)), n))
		if _, err := io.ReadFull(r, longer[copy(longer, bytes):]); err != nil {
			return nil, err
		}
		bytes = longer
	}
	return bytes, nil
}

// readNumbers reads n numbers up to a largest one.
func readNumbers(r io.Reader, n int, largest uint32) (*Numbers, error) {
	x := &Numbers{Width: NumberBytes(largest)}
	var err error
	if x.Data, err = getBytes(r, n*x.Width); err != nil {
		return nil, err
	}
	const chunk = 1 << 20
	exceeds := make([]bool, (len(x.Data)+chunk-1)/chunk)
	parallel.For(runtime.GOMAXPROCS(0), len(exceeds), func(_, i int) {
		part := Numbers{Width: x.Width, Data: x.Data[i*chunk : min((i+1)*chunk, len(x.Data))]}
		exceeds[i] = part.Exceed(largest)
	})
	if slices.Contains(exceeds, true) {
		return nil, fmt.Errorf("a bucket beyond the %d of the round", largest+1)
	}
	return x, nil
}

// numbersLater takes the frames of n numbers up to a largest one from a reader, and returns a
// function that decompresses them when it is first called. It returns nil if they are damaged.
func numbersLater(r *frameReader, n int, largest uint32) (func() *Numbers, error) {
	frames, err := r.take(n * NumberBytes(largest))
	if err != nil {
		return nil, err
	}
	return sync.OnceValue(func() *Numbers {
		r, err := newFrameReader(bufio.NewReader(bytes.NewReader(frames)))
		if err != nil {
			return nil
		}
		defer r.Close()
		x, err := readNumbers(r, n, largest)
		if err != nil {
			return nil
		}
		return x
	}), nil
}
