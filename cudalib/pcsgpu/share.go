package pcsgpu

import (
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/segmentgpu"
)

// share is what one of several devices has of a game: all rounds but the last two, and some lanes
// of these. Before them all devices compute the same. What is computed in a lane depends on the
// lanes that it follows and on those that follow on it, which are on the same device, so that the
// bits are those of one device.
type share struct {
	Game
	parts []sharePart // the share of each part of the game
}

// sharePart is a part of a game in a share: its number there, or -1, and in divided rounds by lane
// there its lane in the game.
type sharePart struct {
	number int
	lanes  []int
}

// place is where a lane of a game is: its device, or -1 in padding, and the lane there.
type place struct {
	device int
	lane   uint32
}

// newShare returns the share of a device, of some devices. They take turns in the lanes of the
// first divided round.
func newShare(g *Game, device, devices int) *share {
	s := &share{Game: *g}
	s.devices, s.divided = devices, len(g.Widths)
	if devices > 1 {
		s.divided = max(1, len(g.Widths)-2)
	}
	s.Widths, s.Parts = make([]int, len(g.Widths)), nil
	places := make([][]place, len(g.Widths)) // places by round and lane
	for r, width := range g.Widths {
		places[r] = make([]place, width)
	}
	for i := range g.Parts {
		part := &g.Parts[i]
		r, p := part.Round, sharePart{number: len(s.Parts)}
		lanes := 0 // lanes of all devices
		for l, from := range part.From {
			at := &places[r][part.First+l]
			switch {
			case r < s.divided:
				*at = place{device, uint32(part.First + l)}
				continue
			case from == none:
				at.device = -1
				continue
			case r == s.divided:
				*at = place{lanes % devices, uint32(s.Widths[r] + lanes/devices)}
				lanes++
			default:
				*at = place{places[r-1][from&0xffff].device, uint32(s.Widths[r] + len(p.lanes))}
			}
			if at.device == device {
				p.lanes = append(p.lanes, l)
			}
		}
		width := part.Width
		switch {
		case r == s.divided:
			width = launch.Whole((lanes + devices - 1) / devices) // the same on all devices
		case r > s.divided:
			width = launch.Whole(len(p.lanes))
		}
		if width == 0 {
			p.number = -1
		} else {
			s.Parts = append(s.Parts, s.partOf(part, p.lanes, width))
			s.Widths[r] += width
		}
		s.parts = append(s.parts, p)
	}
	for i, p := range s.parts {
		if p.number >= 0 {
			s.Parts[p.number].Next = s.next(&g.Parts[i], p, device, places)
		}
	}
	segmentgpu.Link(s.Parts, s.Widths)
	return s
}

// BytesOn returns the memory that the training takes on n devices together.
func (g *Game) BytesOn(devices int) (bytes int64) {
	for d := range devices {
		bytes += newShare(g, d, devices).Bytes()
	}
	return bytes
}

// divides reports whether devices divide the lanes of a round.
func (s *share) divides(r int) bool { return r >= s.divided }

// partOf returns a part with some of its lanes, if its round is divided.
func (s *share) partOf(part *segmentgpu.Part, lanes []int, width int) segmentgpu.Part {
	p := *part
	p.First, p.Width = s.Widths[p.Round], width
	if !s.divides(p.Round) {
		return p
	}
	p.Lanes = len(lanes)
	for player := range p.Programs {
		program := &p.Programs[player]
		pays := make([]float32, p.Values*width)
		for v := range p.Values {
			for to, from := range lanes {
				pays[v*width+to] = program.Pays[v*part.Width+from]
			}
		}
		program.Pays = pays
	}
	return p
}

// next returns the lanes of the next round by deal and lane. Those of other devices are behind the
// device's own, in the order of the devices that follow on it.
func (s *share) next(part *segmentgpu.Part, p sharePart, device int, places [][]place) []uint32 {
	width := s.Parts[p.number].Width
	next := make([]uint32, part.Deals*width)
	for i := range next {
		next[i] = none
		from := i % width
		if s.divides(part.Round) {
			if from >= len(p.lanes) {
				continue
			}
			from = p.lanes[from]
		}
		if lane := part.Next[i/width*part.Width+from]; lane != none {
			at := places[part.Round+1][lane]
			next[i] = uint32(s.behind(at.device, device)*s.Reach(part.Round+1)) + at.lane
		}
	}
	return next
}

// behind returns how many devices after another one a device comes, round and round.
func (s *share) behind(device, other int) int { return (device - other + s.devices) % s.devices }

// givenLen returns the number of values at the start of the first divided round that a device has.
func (s *share) givenLen() int {
	if s.divided == len(s.Widths) {
		return 0
	}
	return s.Reach(s.divided)
}
