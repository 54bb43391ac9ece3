package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/pcsgpu"
)

// Packed is a unit in one array, which comes to a device by one copy.
type Packed struct {
	words        []uint32
	down, places span
	cards        packedHits
	rounds       []packedRound
}

// span is where an array of a unit is, in words.
type span struct{ at, n int }

// packedRound is what a unit has for a round, see [Unit].
type packedRound struct {
	order, sets     span
	hits, trunkHits packedHits
}

// packedHits are [pcsgpu.Hits]; most is how many of them a bucket has at most.
type packedHits struct {
	buckets, starts, hands span
	most                   int
}

// Pack packs a unit.
func Pack(u *Unit) *Packed {
	p := &Packed{}
	p.down, p.places, p.cards = p.add(launch.Words(u.Down)), p.add(u.Places), p.addHits(&u.CardHits)
	for r := range u.Hits {
		order := u.Rivers
		if r < len(u.Orders) {
			order = u.Orders[r]
		}
		x := packedRound{order: p.add(launch.Words(order)), hits: p.addHits(&u.Hits[r])}
		if r < len(u.Sets) {
			x.sets, x.trunkHits = p.add(u.Sets[r]), p.addHits(&u.TrunkHits[r])
		}
		p.rounds = append(p.rounds, x)
	}
	return p
}

// add adds an array, which may be one of pairs of words.
func (p *Packed) add(words []uint32) span {
	p.words = append(p.words, make([]uint32, len(p.words)%2)...)
	s := span{len(p.words), len(words)}
	p.words = append(p.words, words...)
	return s
}

func (p *Packed) addHits(h *pcsgpu.Hits) packedHits {
	x := packedHits{buckets: p.add(h.Buckets), starts: p.add(h.Starts), hands: p.add(h.Hands)}
	for i := range h.Buckets {
		x.most = max(x.most, int(h.Starts[i+1]-h.Starts[i]))
	}
	return x
}

// unitWords returns how many words a unit has at most.
func (g *Game) unitWords() int {
	const gaps = 3 // words that hits have before their arrays
	hits := func(sets, hands int) int { return 2*min(sets, hands) + 1 + hands + gaps }
	words := 2*g.Rivers*g.Hands + g.Rivers*g.UnitHands + hits(g.Deck, 2*g.UnitHands) + gaps
	for r := range g.Widths {
		boards, hands := g.boards(r)
		words += 2*boards*hands + hits(max(g.Buckets[r][0], g.Buckets[r][1]), boards*hands) + gaps
		if r < len(g.Trunk) {
			words += hands + hits(g.Trunk[r], hands)
		}
	}
	return words
}

// unitBuffers have a unit on a device. The next one is written to memory of this computer that the device reads while
// the device works: an event tells when the one before it was read.
type unitBuffers struct {
	*Packed
	buffer driver.Buffer[uint32]
	host   [2]driver.Pinned[uint32]
	read   [2]*driver.Event
	next   int
}

func newUnitBuffers(l *launch.Launcher, words int) (b unitBuffers) {
	b.buffer = launch.Alloc[uint32](l, words)
	for i := range b.host {
		b.host[i] = launch.AllocPinned[uint32](l, words)
		b.read[i] = launch.Keep(l, l.Device.NewEvent)
	}
	return b
}

// upload puts on a stream that a unit comes to the device.
func (b *unitBuffers) upload(s *driver.Stream, p *Packed) error {
	i := b.next
	if err := b.read[i].Sync(); err != nil {
		return err
	}
	copy(b.host[i].Data(), p.words)
	b.Packed, b.next = p, 1-i
	n := len(p.words)
	return errors.Join(b.buffer.Slice(0, n).UploadLater(s, b.host[i].Slice(0, n)), b.read[i].Record(s))
}

// of returns an array of the unit.
func (b *unitBuffers) of(s span) driver.Buffer[uint32] { return b.buffer.Slice(s.at, s.at+s.n) }
