package hexnet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"gamebots/internal/atomicfile"
	"gamebots/internal/rng"

	"github.com/zeebo/xxh3"
)

// The errors of files that are no networks.
var (
	ErrForeign = errors.New("not a network file")
	ErrVersion = errors.New("network file of an unknown version")
	ErrCorrupt = errors.New("network file corrupt")
)

// A file begins with magic and version, the length of its header, and the header as JSON.
// Parameters and the xxh3 checksum of all before it follow. Numbers are little-endian.
const (
	// Magic is what the file of a network begins with.
	Magic     = "hexnet\x00\n"
	version   = 1
	maxHeader = 1 << 16
)

type header struct {
	Config Config `json:"config"`
	Origin Origin `json:"origin"`
}

// AppendBinary appends the contents of a network's file. The same network gives the same
// bytes.
func (n *Net) AppendBinary(to []byte) ([]byte, error) {
	head, err := json.Marshal(header{n.Config, n.Origin})
	if err != nil {
		return nil, err
	}
	if len(head) > maxHeader || len(n.Parameters) != n.Config.NumParameters() {
		return nil, fmt.Errorf("a header of %d bytes and %d parameters are no network of %v", len(head),
			len(n.Parameters), n.Config)
	}
	first := len(to)
	to = binary.LittleEndian.AppendUint32(append(to, Magic...), version)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(head)))
	to = append(to, head...)
	for _, x := range n.Parameters {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint64(to, xxh3.Hash(to[first:])), nil
}

// Parse returns the network of a file's contents. It refuses others with an error that wraps
// one of [ErrForeign], [ErrVersion] and [ErrCorrupt].
func Parse(all []byte) (*Net, error) {
	rest, ours := bytes.CutPrefix(all, []byte(Magic))
	if !ours {
		return nil, ErrForeign
	}
	if len(rest) < 16 {
		return nil, fmt.Errorf("%w: %d bytes", ErrCorrupt, len(all))
	}
	if v := binary.LittleEndian.Uint32(rest); v != version {
		return nil, fmt.Errorf("%w: format %d, not %d", ErrVersion, v, version)
	}
	body := all[:len(all)-8]
	if xxh3.Hash(body) != binary.LittleEndian.Uint64(all[len(body):]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrCorrupt)
	}
	rest = rest[8 : len(rest)-8]
	size := binary.LittleEndian.Uint32(all[len(Magic)+4:])
	if int64(size) > int64(min(len(rest), maxHeader)) {
		return nil, fmt.Errorf("%w: a header of %d bytes", ErrCorrupt, size)
	}
	var head header
	if err := json.Unmarshal(rest[:size], &head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err := head.Config.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if rest = rest[size:]; len(rest) != 4*head.Config.NumParameters() {
		return nil, fmt.Errorf("%w: %d bytes of parameters for %v", ErrCorrupt, len(rest), head.Config)
	}
	n := &Net{Config: head.Config, Origin: head.Origin, Parameters: make([]float32, len(rest)/4)}
	for i := range n.Parameters {
		x := math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
		if x-x != 0 {
			return nil, fmt.Errorf("%w: parameter %d is %g", ErrCorrupt, i, x)
		}
		n.Parameters[i] = x
	}
	return n, nil
}

// Load reads a network from a file.
func Load(file string) (*Net, error) {
	const most = len(Magic) + 8 + maxHeader + 4*MaxParameters + 8
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, int64(most)+1)) // a longer file has a wrong checksum
	if err != nil {
		return nil, err
	}
	n, err := Parse(all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return n, nil
}

// Save writes a network to a file, which it replaces in one step.
func (n *Net) Save(file string) error {
	all, err := n.AppendBinary(nil)
	if err != nil {
		return err
	}
	return atomicfile.Write(file, all)
}

// String describes the network in a line.
func (n *Net) String() string {
	sides := strings.Trim(fmt.Sprint(n.Origin.Sides), "[]")
	text := fmt.Sprintf("%v, %d parameters, %s sides %s, %d steps, seed %d", n.Config, len(n.Parameters), n.Origin.Game,
		sides, n.Origin.Steps, n.Origin.Seed)
	if n.Origin.Operations > 0 {
		text += fmt.Sprintf(", %.2e FLOP", n.Origin.Operations)
	}
	return text
}

// A Net is a network and what it has learned from.
type Net struct {
	Config Config
	Origin Origin
	// Parameters has all weights and biases, layer by layer: the stem; of each block conv₁,
	// W in every second block, and conv₂; the linear map to the outputs of cells; that to 64
	// hidden units; and that from these to the outputs of the board. Weights of a layer are
	// in the order [tap][input][output], then come its biases (W has none).
	Parameters []float32
}

// An Origin says what a network has learned from.
type Origin struct {
	Game  string `json:"game,omitempty"`
	Sides []int  `json:"sides,omitempty"` // sides of the boards, in ascending order
	Steps uint64 `json:"steps"`           // number of steps of learning
	Seed  uint64 `json:"seed"`
	// Operations are the floating-point operations of all learning, with that of the network
	// with which it began. 0 is unknown.
	Operations float64 `json:"operations,omitempty"`
}

// New returns a network that has learned nothing: its policy is uniform and its value 0. It
// panics if the config is out of bounds. See [Config.Check].
func New(c Config, seed uint64) *Net {
	if err := c.Check(); err != nil {
		panic(err)
	}
	n := &Net{Config: c, Origin: Origin{Seed: seed}, Parameters: make([]float32, c.NumParameters())}
	l := c.layers()
	stream := rng.Stream(seed)
	n.initialize(l.stem, &stream)
	for _, b := range l.blocks {
		n.initialize(b.conv1, &stream)
	}
	n.initialize(l.hidden, &stream)
	return n
}

// initialize draws the weights of a layer uniformly, with the variance that keeps that of
// activations through relu (K. He et al., Delving deep into rectifiers, 2015).
func (n *Net) initialize(l layer, s *rng.Stream) {
	bound := float32(math.Sqrt(6 / float64(l.taps*l.in)))
	for i := range n.Parameters[l.weights:][:l.numWeights()] {
		n.Parameters[l.weights+i] = float32((2*s.Float32() - 1) * bound)
	}
}

// Clone returns a copy that shares nothing.
func (n *Net) Clone() *Net {
	c := *n
	c.Parameters = append([]float32(nil), n.Parameters...)
	c.Origin.Sides = append([]int(nil), n.Origin.Sides...)
	return &c
}
