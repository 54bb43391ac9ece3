package arena

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"gamebots/acpc"
	"gamebots/acpc/dealer"

	"github.com/klauspost/compress/zstd"
)

// Hand is one hand of a run.
type Hand struct {
	Table int
	Deal  int // number of the table's deal, from 0: all orders have the same cards
	Order int // index into the plan's orders
	// State is the finished hand with all cards. Its HandID counts from 0 in the
	// shard and, with the seat order, determines the positions.
	State *acpc.State
	// Players are the numbers of the plan's players, and Values their winnings in
	// chips, both by position.
	Players [acpc.MaxPlayers]int
	Values  [acpc.MaxPlayers]float64
}

// Packer packs the actions of a shard's hands; all else follows from the plan. Hands are
// added order by order, and within an order by deal.
type Packer struct {
	actions []byte
}

// Add adds a finished hand.
func (w *Packer) Add(s *acpc.State) {
	sized := s.Game().Betting == acpc.NoLimit
	for round := range s.Round() + 1 {
		for _, a := range s.Actions(round) {
			w.actions = append(w.actions, byte(a.Type))
			if sized && a.Type == acpc.Raise {
				w.actions = binary.AppendUvarint(w.actions, uint64(a.Size))
			}
		}
	}
}

// Games returns a new slice with the packed hands.
func (w *Packer) Games() []byte { return pack(w.actions) }

// Hands unpacks the hands of a shard and plays them again, order by order, and within an
// order by deal. A hand is valid until the next. Hands that the game does not allow
// end the sequence with an error.
func Hands(p *Plan, g *acpc.Game, shard Shard, games []byte) iter.Seq2[*Hand, error] {
	return func(yield func(*Hand, error) bool) {
		fail := func(err error) {
			yield(nil, fmt.Errorf("run %s, shard %d: %w", p.Name, shard.Number, err))
		}
		actions, err := unpack(games, maxHand*(1+shard.Count*len(p.Orders)))
		if err != nil {
			fail(err)
			return
		}
		var state acpc.State
		h := Hand{Table: shard.Table, State: &state}
		match := dealer.Match{Game: g}
		for order, seats := range p.Orders {
			shuffler := acpc.NewShuffler(shard.CardSeed())
			for i := range shard.Count {
				state = g.NewState(uint32(i))
				shuffler.Deal(&state)
				if actions, err = replay(&state, actions); err != nil {
					fail(fmt.Errorf("deal %d: %w", i, err))
					return
				}
				h.Deal, h.Order, h.Values = shard.First+i, order, state.Values()
				for position := range g.NumPlayers {
					h.Players[position] = p.Tables[shard.Table][seats[match.Seat(uint32(i), position)]]
				}
				if !yield(&h, nil) {
					return
				}
			}
		}
		if len(actions) > 0 {
			fail(errors.New("more actions than hands"))
		}
	}
}

// replay plays a hand to its end and returns the remaining actions.
func replay(s *acpc.State, actions []byte) ([]byte, error) {
	sized := s.Game().Betting == acpc.NoLimit
	for !s.Finished() {
		if len(actions) == 0 {
			return nil, errors.New("the hand is cut off")
		}
		a := acpc.Action{Type: acpc.ActionType(actions[0])}
		actions = actions[1:]
		if sized && a.Type == acpc.Raise {
			size, n := binary.Uvarint(actions)
			if n <= 0 || size > acpc.NoStackLimit {
				return nil, errors.New("a raise is cut off")
			}
			a.Size, actions = int32(size), actions[n:]
		}
		if err := s.Check(a); err != nil {
			return nil, err
		}
		s.Apply(a)
	}
	return actions, nil
}

var packer, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(0))

// pack compresses. pack and unpack may be called from any goroutine.
func pack(text []byte) []byte { return packer.EncodeAll(text, nil) }

// maxHand is more bytes than the actions of a hand have.
const maxHand = 4 << 10

// unpack decompresses the games of a shard, up to a limit in bytes: the results of workers
// and the files of others may claim any size.
func unpack(text []byte, limit int) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(uint64(limit)))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(text, nil)
}
