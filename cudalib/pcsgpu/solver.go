package pcsgpu

import (
	"cmp"
	"errors"

	"gamebots/cudalib/driver"
)

// Solver trains a game on one or more devices, with the same bits. It is used by one goroutine at
// a time.
type Solver struct {
	game    *Game
	devices []*device
}

// New puts a game on some devices, with tables of zero. The error is a [*driver.MemoryError] where
// a device has too little memory free, and a [*SizeError] for betting rounds with too many actions.
func New(devices []*driver.Device, g *Game) (*Solver, error) {
	s := &Solver{game: g}
	for i, d := range devices {
		on, err := newDevice(d, newShare(g, i, len(devices)))
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.devices = append(s.devices, on)
	}
	return s, nil
}

// Close frees the device memory.
func (s *Solver) Close() error {
	return s.each(func(_ int, d *device) error { return d.Close() })
}

// each lets all devices do some work at the same time.
func (s *Solver) each(work func(i int, d *device) error) error {
	errs := make(chan error)
	for i, d := range s.devices {
		go func() { errs <- d.gpu.Device.Do(func() error { return work(i, d) }) }()
	}
	var all error
	for range s.devices {
		all = errors.Join(all, <-errs)
	}
	return all
}

// Match computes the strategies from all regrets.
func (s *Solver) Match() error {
	return s.each(func(_ int, d *device) error { return d.Match() })
}

// Train updates the players in turn on the boards of a batch. It waits for the result.
func (s *Solver) Train(b *Batch, u Update) error {
	err := s.each(func(_ int, d *device) error { return cmp.Or(d.upload(b), d.descend(1), d.late(0, u)) })
	if err == nil {
		err = s.each(func(i int, d *device) error { return cmp.Or(s.early(i, 0, u), d.late(1, u)) })
	}
	if err == nil {
		err = s.each(func(i int, d *device) error { return cmp.Or(s.early(i, 1, u), d.gpu.Stream.Sync()) })
	}
	return err
}

// late updates a player in the divided rounds. The first player's strategy may have changed since its
// reach was computed.
func (d *device) late(player int, u Update) error {
	return cmp.Or(d.descend(0), d.value(player), d.update(player, true, u), d.give(player))
}

// early updates a player on a device in the rounds before those that are divided.
func (s *Solver) early(i, player int, u Update) error {
	d := s.devices[i]
	for behind := 1; behind < len(s.devices); behind++ {
		if err := d.take(player, behind, s.devices[(i+behind)%len(s.devices)]); err != nil {
			return err
		}
	}
	return d.update(player, false, u)
}

// Table copies the regrets of a player in a part, or the sums of its strategies, by bucket, column
// and lane, to an array of their number.
func (s *Solver) Table(sums bool, player, part int, values []float32) error {
	for _, d := range s.devices {
		p := d.game.parts[part]
		if p.number < 0 {
			continue
		}
		table := d.table(sums, player, p.number)
		if !d.game.divides(s.game.Parts[part].Round) {
			return table.Download(d.gpu.Stream, values)
		}
		own := make([]float32, table.Len())
		if err := table.Download(d.gpu.Stream, own); err != nil {
			return err
		}
		s.eachLane(d, player, part, func(at, in int) { values[in] = own[at] })
	}
	return nil
}

// SetTable sets a table. After regrets are set, Match computes the strategies.
func (s *Solver) SetTable(sums bool, player, part int, values []float32) error {
	for _, d := range s.devices {
		p := d.game.parts[part]
		if p.number < 0 {
			continue
		}
		table, own := d.table(sums, player, p.number), values
		if d.game.divides(s.game.Parts[part].Round) {
			own = make([]float32, table.Len())
			s.eachLane(d, player, part, func(at, in int) { own[at] = values[in] })
		}
		if err := table.Upload(d.gpu.Stream, own); err != nil {
			return err
		}
	}
	return nil
}

// eachLane calls f for the entries of a player in a part that a device has: their places there, and
// in the game.
func (s *Solver) eachLane(d *device, player, part int, f func(at, in int)) {
	p, whole := d.game.parts[part], &s.game.Parts[part]
	width := d.game.Parts[p.number].Width
	for row := range s.game.Buckets[whole.Round][player] * whole.Columns[player] {
		for to, lane := range p.lanes {
			f(row*width+to, row*whole.Width+lane)
		}
	}
}
