package cfrbr

import (
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/cfrbrgpu"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// MaxDevices is how many devices can train: one for each player.
const MaxDevices = 2

// NewDeviceTrainer returns a trainer on one or two devices that has done no iteration, or [NewTrainer]'s without any.
// Two devices train a player each. Its results have the same bits. The error is a [*cudalib.MemoryError] where a
// device has too little memory free, and a [*pcsgpu.SizeError] for games whose betting rounds have too many actions.
func NewDeviceTrainer(devices []*cudalib.Device, g *Game, seed uint64, threads int) (*Trainer, error) {
	if len(devices) == 0 {
		return NewTrainer(g, seed, threads), nil
	}
	m := &gpu{Game: g}
	for _, p := range g.players {
		var err error
		if m.solvers[p], err = cfrbrgpu.New(devices[p%len(devices)], g.forDevice(), p); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	t := newTrainer(g, seed, threads, m, m)
	t.dealer.forDevice = true
	return t, nil
}

// forDevice returns the game for the kernels.
func (g *Game) forDevice() cfrbrgpu.Game {
	x := cfrbrgpu.Game{Game: g.layout, UnitHands: g.hands, Rivers: g.rivers, Scale: g.scale}
	for _, index := range g.trunk {
		x.Trunk = append(x.Trunk, index.Size())
	}
	return x
}

// DeviceBytes returns the memory that the training takes on a device, about.
func (g *Game) DeviceBytes() (bytes int64) {
	x := g.forDevice()
	for _, p := range g.players {
		bytes += x.Bytes(p)
	}
	return bytes
}

// DeviceWorthwhile is [pcs.DeviceWorthwhile] for an iteration of the game.
func (g *Game) DeviceWorthwhile() (worthwhile bool, reason string) {
	n := 0
	for _, i := range g.parts[g.last] {
		n += g.rivers * g.layout.Hands * g.layout.Parts[i].Lanes
	}
	return pcs.DeviceWorthwhile(n, "an iteration")
}

// gpu is the machine of devices, on which the players are trained at the same time: by a solver of each
// that learns.
type gpu struct {
	*Game
	solvers [2]*cfrbrgpu.Solver
}

// train begins to train on a unit, after those before it. A failure may be that of the one before.
func (m *gpu) train(u *unit, update pcsgpu.Update) (err error) {
	for _, p := range m.players {
		err = errors.Join(err, m.solvers[p].Train(u.device, update))
	}
	return err
}

func (m *gpu) trunkTable(player, part int) ([]float32, error) {
	regrets := make([]float32, m.trunkEntries(player, part))
	return regrets, m.solvers[player].TrunkTable(part).Download(regrets)
}

func (m *gpu) setTrunkTable(player, part int, regrets []float32) error {
	return m.solvers[player].TrunkTable(part).Upload(regrets)
}

// Table, SetTable, Match and Close are those of pcs.Machine.

func (m *gpu) Table(sums bool, player, part int) ([]float32, error) {
	values := make([]float32, m.layout.Entries(part, player))
	return values, m.solvers[player].Table(sums, part).Download(values)
}

func (m *gpu) SetTable(sums bool, player, part int, values []float32) error {
	return m.solvers[player].Table(sums, part).Upload(values)
}

func (m *gpu) Match() (err error) {
	for _, p := range m.players {
		err = errors.Join(err, m.solvers[p].Match())
	}
	return err
}

func (m *gpu) Close() (err error) {
	for _, s := range m.solvers {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

// unitForDevice returns a unit for the kernels.
func (g *Game) unitForDevice(u *unit) *cfrbrgpu.Packed {
	x := &cfrbrgpu.Unit{Orders: u.buckets, Sets: u.sets}
	for i, river := range u.rivers {
		x.Rivers, x.Down = append(x.Rivers, river.order...), append(x.Down, river.down...)
		for range g.hands {
			x.Places = append(x.Places, segment.None)
		}
		for place, entry := range river.order {
			x.Places[i*g.hands+int(entry&vectors.HandMask)] = uint32(place)
		}
	}
	for r := range g.parts {
		order, hands := x.Rivers, g.layout.Hands
		if r < g.last {
			order, hands = u.buckets[r], g.hands
		}
		rows := make([]uint32, len(order))
		for i, entry := range order {
			rows[i] = uint32(entry >> vectors.BucketBit)
		}
		x.Hits = append(x.Hits, pcsgpu.NewHits(rows, g.layout.Buckets[r][0], hands))
	}
	x.CardHits = g.cardHits(u.apart[0])
	for r, sets := range u.sets {
		x.TrunkHits = append(x.TrunkHits, pcsgpu.NewHits(sets, g.trunk[r].Size(), g.hands))
	}
	return cfrbrgpu.Pack(x)
}

// cardHits lists the places of the hands of an order by card.
func (g *Game) cardHits(order []uint64) (h pcsgpu.Hits) {
	for card := range uint64(len(g.cards)) {
		start := len(h.Hands)
		for place, entry := range order {
			if entry>>vectors.HandBits&vectors.CardMask == card || entry>>vectors.SecondBit&vectors.CardMask == card {
				h.Hands = append(h.Hands, uint32(place))
			}
		}
		if len(h.Hands) > start {
			h.Buckets, h.Starts = append(h.Buckets, uint32(card)), append(h.Starts, uint32(start))
		}
	}
	h.Starts = append(h.Starts, uint32(len(h.Hands)))
	return h
}
