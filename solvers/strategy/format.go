package strategy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A file is a header, the metadata, an index with one entry a block, and the blocks.
// Everything needed to find and to check the blocks comes before them, under two
// checksums. The header has its own, so that its size can be relied on and a file cut
// short can be told from a damaged one; the other is of metadata and index. Integers and
// floats are little endian.
//
// Blocks of 4,096 values are the smallest that compress as well as larger ones, and a
// random lookup decompresses the least with them. Sorting the bytes of the floats by
// significance before zstd, which helps smooth data, made averages of CFR compress worse.
// Compression levels above the fastest save 1 to 3% of the size at half the speed.
const (
	// Magic is what a strategy file begins with. The first byte keeps it from passing for
	// text.
	Magic = "\x93GBSTRAT"

	// The versions: probabilities as floats, and rounded ones, a byte each.
	versionFloat   = 1
	versionRounded = 2

	defaultBlockLen = 1 << 12
	// roundedBlockLen is as many bytes.
	roundedBlockLen = valueSize * defaultBlockLen
	// maxBlockLen bounds the memory for a block of a hostile file.
	maxBlockLen = 1 << 16

	headerSize = 88
	entrySize  = 16
	valueSize  = 4 // bytes of a float
)

// header is the fixed part of the file, field by field as it is stored.
type header struct {
	Magic    [8]byte
	Version  uint32
	BlockLen uint32 // values in each block but the last
	Values   uint64 // values that are stored
	Size     uint64 // bytes in the file
	MetaSize uint64 // bytes of metadata
	GameHash [sha256.Size]byte
	FrontSum uint64 // xxh3 of metadata and index
	Sum      uint64 // xxh3 of the header up to here
}

func newHeader(meta Meta, n uint64, blockLen int) (header, error) {
	if !utf8.ValidString(meta.GameText) {
		return header{}, errors.New("the game's text is not UTF-8") // JSON would change it
	}
	h := header{Version: versionFloat, BlockLen: uint32(blockLen), Values: n, GameHash: meta.GameHash()}
	copy(h.Magic[:], Magic)
	if meta.Bits != 0 {
		h.Version = versionRounded
	}
	return h, nil
}

// valueSize returns the size in bytes of a value before compression.
func (h *header) valueSize() int {
	if h.Version == versionRounded {
		return 1
	}
	return valueSize
}

// blocks returns the number of blocks.
func (h *header) blocks() uint64 {
	blocks := h.Values / uint64(h.BlockLen)
	if h.Values%uint64(h.BlockLen) != 0 {
		blocks++
	}
	return blocks
}

// rawSize returns the size in bytes of a block's values before compression.
func (h *header) rawSize(block uint64) int {
	return h.valueSize() * int(min(uint64(h.BlockLen), h.Values-block*uint64(h.BlockLen)))
}

// front returns the size in bytes of everything before the first block.
func (h *header) front() uint64 { return headerSize + h.MetaSize + entrySize*h.blocks() }

// seal puts the header in front of metadata and index, with the checksums.
func (h *header) seal(metaAndIndex []byte) []byte {
	h.FrontSum = xxh3.Hash(metaAndIndex)
	sealed, _ := binary.Append(nil, binary.LittleEndian, h) // all sizes are fixed: cannot fail
	binary.LittleEndian.PutUint64(sealed[headerSize-8:], xxh3.Hash(sealed[:headerSize-8]))
	return append(sealed, metaAndIndex...)
}

// entry is the index entry of a block.
type entry struct {
	End uint64 // offset in the file of the first byte after the block
	Sum uint64 // xxh3 of the block as it is stored
}

func (e entry) append(index []byte) []byte {
	index = binary.LittleEndian.AppendUint64(index, e.End)
	return binary.LittleEndian.AppendUint64(index, e.Sum)
}

func entryAt(index []byte, block uint64) entry {
	at := index[block*entrySize:]
	return entry{binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])}
}

// image is the bytes of a whole file, in which everything but the blocks is checked.
type image struct {
	header
	meta  Meta
	index []byte
	runs  []run  // runs of information sets, if probabilities are rounded
	data  []byte // the file
}

// parse checks and parses the part before the blocks, without copying data.
func parse(data []byte) (*image, error) {
	m := &image{data: data}
	if err := m.parseHeader(); err != nil {
		return nil, err
	}
	front := m.front()
	if xxh3.Hash(data[headerSize:front]) != m.FrontSum {
		return nil, fmt.Errorf("%w: metadata and index do not match their checksum", ErrCorrupt)
	}
	if err := m.parseMeta(data[headerSize : headerSize+m.MetaSize]); err != nil {
		return nil, fmt.Errorf("%w: metadata: %w", ErrCorrupt, err)
	}
	if m.meta.GameHash() != m.GameHash {
		return nil, fmt.Errorf("%w: the game's text does not match its hash", ErrCorrupt)
	}
	m.index = data[headerSize+m.MetaSize : front]
	end := front
	for block := range m.blocks() {
		start := end
		if end = entryAt(m.index, block).End; end < start || end > m.Size {
			return nil, fmt.Errorf("%w: index: block %d ends at byte %d, out of bytes %d to %d", ErrCorrupt,
				block, end, start, m.Size)
		}
	}
	if end != m.Size {
		return nil, fmt.Errorf("%w: index: the last block ends at byte %d of %d", ErrCorrupt, end, m.Size)
	}
	return m, nil
}

// parseMeta parses the metadata.
func (m *image) parseMeta(data []byte) error {
	if m.Version == versionRounded {
		return m.parseRounded(data)
	}
	err := json.Unmarshal(data, &m.meta)
	if err == nil && m.meta.Bits != 0 {
		err = fmt.Errorf("%d bits a probability in a file of floats", m.meta.Bits)
	}
	return err
}

// parseHeader parses the header and checks that the sizes in it fit the file.
func (m *image) parseHeader() error {
	prefix := string(m.data[:min(len(Magic), len(m.data))])
	if prefix != Magic[:len(prefix)] {
		return ErrForeign
	}
	if len(m.data) >= len(Magic)+4 {
		if v := binary.LittleEndian.Uint32(m.data[len(Magic):]); v != versionFloat && v != versionRounded {
			return fmt.Errorf("%w: %d, this program knows %d and %d", ErrVersion, v, versionFloat, versionRounded)
		}
	}
	size := uint64(len(m.data))
	if size < headerSize {
		return fmt.Errorf("%w: %d bytes, a header alone has %d", ErrTruncated, size, headerSize)
	}
	_, _ = binary.Decode(m.data, binary.LittleEndian, &m.header) // enough bytes are there: cannot fail
	switch {
	case m.Sum != xxh3.Hash(m.data[:headerSize-8]):
		return fmt.Errorf("%w: the header does not match its checksum", ErrCorrupt)
	case size < m.Size:
		return fmt.Errorf("%w: %d bytes of %d", ErrTruncated, size, m.Size)
	case size > m.Size:
		return fmt.Errorf("%w: %d bytes after the end", ErrCorrupt, size-m.Size)
	case m.BlockLen == 0 || m.BlockLen > maxBlockLen:
		return fmt.Errorf("%w: header: %d values a block, not 1 to %d", ErrCorrupt, m.BlockLen, maxBlockLen)
	case m.MetaSize > size-headerSize:
		return fmt.Errorf("%w: header: %d bytes of metadata in a file of %d", ErrCorrupt, m.MetaSize, size)
	case m.blocks() > (size-headerSize-m.MetaSize)/entrySize:
		return fmt.Errorf("%w: header: %d blocks in a file of %d bytes", ErrCorrupt, m.blocks(), size)
	}
	return nil
}

// stored returns a block as it is stored, checked against its checksum.
func (m *image) stored(block uint64) ([]byte, error) {
	start := m.front()
	if block > 0 {
		start = entryAt(m.index, block-1).End
	}
	e := entryAt(m.index, block)
	stored := m.data[start:e.End]
	if xxh3.Hash(stored) != e.Sum {
		return nil, fmt.Errorf("%w: block %d of %d (bytes %d to %d) does not match its checksum", ErrCorrupt,
			block, m.blocks(), start, e.End)
	}
	return stored, nil
}

// The reasons for which a file is refused. The errors of this package wrap them and add
// the file and the details.
var (
	ErrForeign   = errors.New("not a strategy file")
	ErrVersion   = errors.New("strategy file of an unknown version")
	ErrTruncated = errors.New("strategy file cut short")
	ErrCorrupt   = errors.New("strategy file corrupt")
	ErrOtherGame = errors.New("strategy of another game")
)

// Meta describes a strategy and how it was made. It holds no time and no
// name of a machine: the same training gives the same file. In the file it is
// JSON; a reader ignores the fields that it does not know.
type Meta struct {
	Game        string `json:"game"`        // the game's usual name, such as "leduc"
	GameText    string `json:"game_text"`   // the game's definition in its one canonical form, UTF-8
	Abstraction string `json:"abstraction"` // how cards were told apart, such as "lossless"
	// Buckets is the card abstraction itself where its name does not say all of it, in the
	// format of package solvers/cfr/abstraction/buckets; not to be changed once written or
	// read.
	Buckets []byte `json:"buckets,omitempty"`
	// Actions is which raises the strategy knows, such as "fcpa"; "" is all.
	Actions string `json:"actions,omitempty"`
	// Rounds is how many rounds it has, the first ones of the game; 0 is all.
	Rounds int `json:"rounds,omitempty"`
	// Bits is how many bits a probability was rounded to, 1 to 8; 0 is not at all.
	Bits int `json:"bits,omitempty"`

	Algorithm string `json:"algorithm"` // the solver, such as "dcfr"
	// its parameters by name; not to be changed once written or read
	Params     map[string]float64 `json:"params,omitempty"`
	Seed       uint64             `json:"seed"`
	Iterations uint64             `json:"iterations"`

	// Exploitability is the average gain of the players, each by a best
	// response to the others, in chips a hand: NashConv divided by the number
	// of players, hence (b0+b1)/2 for two. It is nil when never measured.
	Exploitability *float64 `json:"exploitability"`
}

// GameHash identifies the game: the SHA-256 of GameText.
func (m Meta) GameHash() [sha256.Size]byte { return sha256.Sum256([]byte(m.GameText)) }

// firstDifference returns the first line, counted from 1, in which two texts
// differ, and that line of both: "" after the end of a text.
func firstDifference(a, b string) (line int, inA, inB string) {
	for a != b {
		line++
		inA, a, _ = strings.Cut(a, "\n")
		inB, b, _ = strings.Cut(b, "\n")
		if inA != inB {
			break
		}
	}
	return line, inA, inB
}
