package pcs

import (
	"errors"
	"fmt"
	"io"
	"math"

	"gamebots/cudalib/segments"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/segment"
)

// The formats of a state.
const (
	fullState    uint64 = iota // all regrets and sums of strategies
	compactState               // see [Tables.Compact]
)

// Compact makes WriteState write a state of about a tenth of the size, from which training
// goes on as well, but not with the same bits. By information set it has
//
//   - the average strategy, in fifteenths,
//   - the sum of strategies, and the sum of positive regrets, as powers of four.
//
// It drops the current strategy, which is the average one after it is read, and negative
// regrets, which are zero then.
func (t *Tables) Compact() { t.compact = true }

var _ checkpoint.State = (*Tables)(nil)

// WriteState writes what further iterations depend on.
func (t *Tables) WriteState(w io.Writer) error {
	format, write := fullState, t.writeTables
	if t.compact {
		format, write = compactState, t.writeCompact
	}
	if err := checkpoint.WriteSlice(w, []uint64{format, t.done}); err != nil {
		return err
	}
	for player := range 2 {
		for part := range t.nodes {
			regrets, sums := t.table(false, player, part), t.table(true, player, part)
			if t.err != nil {
				return t.err
			}
			if err := write(w, player, part, regrets, sums); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadState restores the state that a trainer of the same game, method and seed wrote, on
// whatever device.
func (t *Tables) ReadState(r io.Reader) error {
	head := []uint64{0, 0}
	if err := checkpoint.ReadSlice(r, head); err != nil {
		return err
	}
	read := t.readTables
	switch head[0] {
	case fullState:
	case compactState:
		read = t.readCompact
	default:
		return fmt.Errorf("a state of an unknown format, %d", head[0])
	}
	for player := range 2 {
		for part := range t.nodes {
			n := t.layout.Entries(part, player)
			regrets, sums := make([]float32, n), make([]float32, n)
			err := read(r, player, part, regrets, sums)
			if err := errors.Join(err, t.setTables(player, part, regrets, sums)); err != nil {
				return err
			}
		}
	}
	t.done = head[1]
	return t.machine.Match()
}

func (t *Tables) writeTables(w io.Writer, _, _ int, regrets, sums []float32) error {
	return errors.Join(checkpoint.WriteSlice(w, regrets), checkpoint.WriteSlice(w, sums))
}

func (t *Tables) readTables(r io.Reader, _, _ int, regrets, sums []float32) error {
	return errors.Join(checkpoint.ReadSlice(r, regrets), checkpoint.ReadSlice(r, sums))
}

// compactCodes returns how many bytes a bucket has for a decision in each lane: the shares of
// all actions but the last, and the two sums. Those that are alike are neighbours, which
// compression gains from: bytes are by bucket, decision, code and lane.
func compactCodes(d *segment.Decision) int { return int(d.Actions) + 1 }

func (t *Tables) writeCompact(w io.Writer, player, part int, regrets, sums []float32) error {
	return t.eachDecision(player, part, func(at int, d *segment.Decision, lanes, width int) error {
		codes := make([]byte, compactCodes(d)*lanes)
		for lane := range lanes {
			var weights [segments.MaxActions]float32
			total, regret := float32(0), float32(0)
			for a := range int(d.Actions) {
				weights[a] = sums[at+a*width+lane]
				total += weights[a]
				regret += max(0, regrets[at+a*width+lane])
			}
			share := shares(weights[:d.Actions])
			for a := range int(d.Actions) - 1 {
				codes[a*lanes+lane] = share[a]
			}
			codes[int(d.Actions-1)*lanes+lane], codes[int(d.Actions)*lanes+lane] = powerOf(total), powerOf(regret)
		}
		_, err := w.Write(codes)
		return err
	})
}

func (t *Tables) readCompact(from io.Reader, player, part int, regrets, sums []float32) error {
	return t.eachDecision(player, part, func(at int, d *segment.Decision, lanes, width int) error {
		codes := make([]byte, compactCodes(d)*lanes)
		if _, err := io.ReadFull(from, codes); err != nil {
			return err
		}
		for lane := range lanes {
			totalCode, regretCode := codes[int(d.Actions-1)*lanes+lane], codes[int(d.Actions)*lanes+lane]
			if max(totalCode, regretCode) > maxPower {
				return errors.New("a sum that is too large")
			}
			total, regret := power(totalCode), power(regretCode)
			left := byte(wholeShare)
			for a := range int(d.Actions) {
				share := left
				if a < int(d.Actions)-1 {
					share = codes[a*lanes+lane]
				}
				if share > left {
					return errors.New("a strategy with a sum of over one")
				}
				left -= share
				p := float32(share) / wholeShare
				sums[at+a*width+lane], regrets[at+a*width+lane] = p*total, p*regret
			}
		}
		return nil
	})
}

// eachDecision calls f for the decisions of a player in a part in each bucket, with the entry
// of the first action in the first lane, the lanes, and their number with padding.
func (t *Tables) eachDecision(player, part int, f func(at int, d *segment.Decision, lanes, width int) error) error {
	p := &t.layout.Parts[part]
	decisions := p.Programs[player].Decisions
	for bucket := range t.layout.Buckets[p.Round][player] {
		for i := range decisions {
			d := &decisions[i]
			if err := f((bucket*p.Columns[player]+int(d.Column))*p.Width, d, p.Lanes, p.Width); err != nil {
				return err
			}
		}
	}
	return nil
}

// wholeShare is the share of an action that is always played.
const wholeShare = 15

// shares rounds a strategy to shares that add up to wholeShare. Where no action has a weight,
// they are as even as they can be.
func shares(weights []float32) (out [segments.MaxActions]byte) {
	total := float32(0)
	for _, w := range weights {
		total += w
	}
	left := wholeShare
	var rest [segments.MaxActions]float32
	for a, w := range weights {
		p := 1 / float32(len(weights))
		if total > 0 {
			p = w / total
		}
		whole := min(int(p*wholeShare), left)
		out[a], rest[a] = byte(whole), p*wholeShare-float32(whole)
		left -= whole
	}
	for ; left > 0; left-- { // the rest goes to the largest fractions
		best := 0
		for a := range weights {
			if rest[a] > rest[best] {
				best = a
			}
		}
		out[best]++
		rest[best]--
	}
	return out
}

// The code of a power of four counts from powerBase, below all sums that count. That of
// maxPower is within the range of a float32.
const powerBase, maxPower = -40, 100

// powerOf returns the code of the power of four that is nearest to a sum: 0 for sums that are
// not positive.
func powerOf(x float32) byte {
	if !(x > 0) {
		return 0
	}
	return byte(max(1, min(maxPower, int(math.Round(math.Log2(float64(x))/2))-powerBase)))
}

func power(code byte) float32 {
	if code == 0 {
		return 0
	}
	return float32(math.Exp2(2 * float64(int(code)+powerBase)))
}
