package bestresponse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/zeebo/xxh3"

	"gamebots/acpc"
	"gamebots/internal/atomicfile"
)

// Save keeps the values of the parts that are done in a file, so that an interrupted
// computation goes on where it was. The file begins with saveMagic and the strategy's
// fingerprint. A part follows as its number, its values, and the xxh3 of both; the sum of the first
// n parts as a part with the number summed + n. An incomplete or damaged end, as a crash leaves it,
// is cut off. A Save is used by one goroutine at a time.
type Save struct {
	// Sum is that of the first parts, whose own values are no longer in the file.
	Sum  Sum
	file *os.File
	size int64
}

// summed marks the record of a sum.
const summed = 1 << 31

const saveMagic = "\x93GBREAL\x01"

var (
	// ErrOtherStrategy is the error for the saved values of another strategy.
	ErrOtherStrategy = errors.New("the saved values are of another strategy or other settings")
	// ErrForeign is the error for a file that is not one of saved values.
	ErrForeign = errors.New("not a file of saved values")
)

// fingerprint identifies a strategy, in its game and as it is played, and the raises of the response.
func (r *Response) fingerprint() uint64 {
	s, h := r.strategy, xxh3.New()
	h.WriteString(s.Tree.Game.String() + s.Buckets.Name() + r.menu.Meta())
	if r.follow != [acpc.MaxRounds]bool{} {
		fmt.Fprint(h, r.follow)
	}
	var word [4]byte
	for _, p := range s.probability {
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(p))
		h.Write(word[:])
	}
	return h.Sum64()
}

// OpenSave opens or creates a file and returns the parts that it has, by number; those that
// it has not, or only in the sum, are empty. The error wraps [ErrOtherStrategy] or [ErrForeign] for other files.
func (r *Response) OpenSave(path string) (*Save, []PartValues, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	s := &Save{file: file}
	parts, err := s.read(r)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, parts, nil
}

// read returns the parts.
func (s *Save) read(r *Response) ([]PartValues, error) {
	head := binary.LittleEndian.AppendUint64([]byte(saveMagic), r.fingerprint())
	found, parts := make([]byte, len(head)), make([]PartValues, r.Parts())
	got, err := io.ReadFull(s.file, found)
	switch short := isEnd(err); {
	case short && bytes.HasPrefix(head, found[:got]): // a new file, or one that a crash left without its head
		s.size = int64(len(head))
		_, err = s.file.WriteAt(head, 0)
		return parts, err
	case err != nil && !short:
		return nil, err
	case !bytes.HasPrefix(found[:got], []byte(saveMagic)):
		return nil, ErrForeign
	case short || !bytes.Equal(found, head):
		return nil, ErrOtherStrategy
	}
	s.size = int64(len(head))
	record := make([]byte, r.recordSize())
	for {
		_, err := io.ReadFull(s.file, record)
		if err != nil && !isEnd(err) {
			return nil, err
		}
		end := len(record) - 8
		part := int(binary.LittleEndian.Uint32(record))
		sum := part - summed
		known := part < len(parts) || sum >= 0 && sum <= len(parts)
		if err != nil || binary.LittleEndian.Uint64(record[end:]) != xxh3.Hash(record[:end]) || !known {
			return parts, s.file.Truncate(s.size)
		}
		values, err := r.Decode(record[4:end])
		switch {
		case err != nil:
			return nil, err
		case sum >= 0:
			s.Sum = Sum{sum, values}
		default:
			parts[part] = values
		}
		s.size += int64(len(record))
	}
}

// isEnd reports whether an error of io.ReadFull is the end of the file.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// recordSize returns the bytes of a part in the file.
func (r *Response) recordSize() int { return 4 + r.encodedSize() + 8 }

// encodedSize returns the bytes of a part's values.
func (r *Response) encodedSize() int { return 8 * (r.size(0) + r.size(1)) }

// Encode returns the values of a part as bytes: little-endian floats, the first player's
// first.
func (v PartValues) Encode() (data []byte) {
	for _, list := range v {
		for _, x := range list {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
	}
	return data
}

// Decode reads what [PartValues.Encode] returned for a part of this response.
func (r *Response) Decode(data []byte) (v PartValues, err error) {
	if len(data) != r.encodedSize() {
		return v, fmt.Errorf("%d bytes are not the %d of a part's values", len(data), r.encodedSize())
	}
	for p := range v {
		v[p] = make([]float64, r.size(p))
		for i := range v[p] {
			v[p][i] = math.Float64frombits(binary.LittleEndian.Uint64(data))
			data = data[8:]
		}
	}
	return v, nil
}

// Add adds a part. Where that fails, the next one takes its place.
func (s *Save) Add(part int, values PartValues) error {
	n, err := s.file.WriteAt(record(part, values), s.size)
	if err == nil {
		s.size += int64(n)
	}
	return err
}

func record(part int, values PartValues) []byte {
	data := append(binary.LittleEndian.AppendUint32(nil, uint32(part)), values.Encode()...)
	return binary.LittleEndian.AppendUint64(data, xxh3.Hash(data))
}

// Compact replaces the parts of a sum by the sum, and keeps the others that have values.
func (s *Save) Compact(sum Sum, parts []PartValues) error {
	if sum.Parts == s.Sum.Parts {
		return nil
	}
	data := make([]byte, len(saveMagic)+8)
	if _, err := s.file.ReadAt(data, 0); err != nil {
		return err
	}
	data = append(data, record(summed+sum.Parts, sum.Values)...)
	for i := sum.Parts; i < len(parts); i++ {
		if parts[i][0] != nil {
			data = append(data, record(i, parts[i])...)
		}
	}
	path := s.file.Name()
	err := errors.Join(s.file.Close(), atomicfile.Write(path, data))
	if err != nil {
		return err
	}
	s.Sum, s.size = sum, int64(len(data))
	s.file, err = os.OpenFile(path, os.O_RDWR, 0)
	return err
}

// Close closes the file.
func (s *Save) Close() error { return s.file.Close() }
