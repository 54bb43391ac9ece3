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

	"github.com/zeebo/xxh3"

	"gamebots/internal/atomicfile"
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
