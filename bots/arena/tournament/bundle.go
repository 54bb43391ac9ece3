package tournament

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"gamebots/bots/arena"

	"github.com/zeebo/xxh3"
)

// maxShipped limits the bytes of strategy files that are sent to workers.
const maxShipped = 256 << 20

// bundle returns the data that all jobs of a run share: its plan and, with ship, its strategy
// files, each once, as far as they fit. Every part has its length before it.
func bundle(p *arena.Plan, ship bool) ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	shared := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
	if !ship || p.Kind != arena.Poker {
		return shared, nil
	}
	left := int64(maxShipped)
	shipped := map[uint64]bool{}
	for i, e := range p.Players {
		if e.Kind != kindStrategy || shipped[p.Prints[i]] {
			continue
		}
		info, err := os.Stat(e.Strategy)
		if err != nil {
			return nil, err
		}
		if info.Size() > left {
			continue
		}
		text, err := os.ReadFile(e.Strategy)
		if err != nil {
			return nil, err
		}
		if xxh3.Hash(text) != p.Prints[i] {
			return nil, fmt.Errorf("%s is not the file that the run was begun with", e.Strategy)
		}
		left -= int64(len(text))
		shipped[p.Prints[i]] = true
		shared = append(binary.AppendUvarint(shared, uint64(len(text))), text...)
	}
	return shared, nil
}

// unbundle returns the plan of a bundle, its text, and its files by their checksums.
func unbundle(shared []byte) (*arena.Plan, []byte, map[uint64][]byte, error) {
	var parts [][]byte
	for len(shared) > 0 {
		size, n := binary.Uvarint(shared)
		if n <= 0 || size > uint64(len(shared)-n) {
			return nil, nil, nil, errors.New("plan of a run: cut off")
		}
		parts = append(parts, shared[n:][:size])
		shared = shared[n+int(size):]
	}
	if len(parts) == 0 {
		return nil, nil, nil, errors.New("plan of a run: empty")
	}
	p := &arena.Plan{}
	if err := json.Unmarshal(parts[0], p); err != nil {
		return nil, nil, nil, fmt.Errorf("plan of a run: %w", err)
	}
	files := map[uint64][]byte{}
	for _, text := range parts[1:] {
		files[xxh3.Hash(text)] = text
	}
	return p, parts[0], files, nil
}
