package resolve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gamebots/acpc/ranges"
	"gamebots/solvers/resolve/spot"
)

// Figures are what [Device.Measure] found. Speeds are entries times iterations a second, and 0 where a device
// is too slow or too small to measure them.
type Figures struct {
	Turns       float64 `json:"turns"`
	TurnsOnCPU  float64 `json:"turns_on_cpu"`
	Flops       float64 `json:"flops"` // with entries of 32 bits
	PackedFlops float64 `json:"flops_16_bits"`
	// Memory for an entry of a flop, in bytes.
	EntryBytes       float64 `json:"entry_bytes"`
	PackedEntryBytes float64 `json:"entry_bytes_16_bits"`
}

// Figures returns them.
func (d *Device) Figures() Figures {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	flop, packed := d.paces[wholeFlop], d.paces[packedFlop]
	return Figures{Turns: d.paces[wholeTurn].speed, TurnsOnCPU: d.cpu, Flops: flop.speed, PackedFlops: packed.speed,
		EntryBytes: flop.bytes, PackedEntryBytes: packed.bytes}
}

// A FlopPlan is what a device would solve of a flop: a pot of 600 chips with 19,700 behind and all hands.
type FlopPlan struct {
	Memory  int64   `json:"memory_bytes"`
	Limit   float64 `json:"limit_entries"` // most entries that there are memory and time for
	Entries int64   `json:"entries"`       // those of the tree, 0 if the smallest is too large
	Bits    int     `json:"bits,omitempty"`
	Bets    string  `json:"bets,omitempty"`
	Raises  string  `json:"raises,omitempty"`
}

// Plans returns what the device would solve of a flop in a decision of so much time, with each of these
// amounts of memory.
func (d *Device) Plans(ctx context.Context, each time.Duration, threads int, memory ...int64) ([]FlopPlan, error) {
	s := &spot.Spot{Pot: 600, Stack: 19_700, MinBet: 100}
	s.Board, _ = spot.ParseBoard("Qs7h2c")
	s.Ranges[0], _ = ranges.Parse("random")
	s.Ranges[1] = s.Ranges[0]
	sizes, looking, err := entries(s, wholeFlops, threads)
	if err != nil {
		return nil, err
	}
	var plans []FlopPlan
	for _, bytes := range memory {
		other := NewDevice(nil, bytes)
		other.paces = d.paces
		limited, cancel := context.WithTimeout(ctx, each)
		p := FlopPlan{Memory: bytes}
		var k kind
		p.Limit, k = other.flopLimit(limited, flopIterations, 2*looking)
		cancel()
		for i, n := range sizes {
			if float64(n) <= p.Limit {
				m := &wholeFlops[i]
				p.Entries, p.Bits, p.Bets, p.Raises = n, 32, textOf(m.Bets[0]), textOf(m.Raises[0])
				if k == packedFlop {
					p.Bits = 16
				}
				break
			}
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// textOf returns the sizes of the streets.
func textOf(streets [3]spot.Sizes) string {
	var parts []string
	for k, name := range []string{"flop", "turn", "river"} {
		if len(streets[k]) > 0 {
			parts = append(parts, fmt.Sprintf("%s %v", name, streets[k]))
		}
	}
	return strings.Join(parts, "; ")
}
