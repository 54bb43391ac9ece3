package abstraction

// BoardRange is a range of adjacent boards of a round, [FirstBoard, LastBoard),
// and of their buckets, [First, Last), padding included.
type BoardRange struct {
	FirstBoard, LastBoard int
	First, Last           int
}

// Width returns the number of buckets.
func (r BoardRange) Width() int { return r.Last - r.First }

// Width returns the number of a board's buckets, padding included.
func (b *Board) Width() int { return int(b.Num+Lanes-1) &^ (Lanes - 1) }

// Cut cuts the boards of a round into ranges of at most width buckets, or of one
// board.
func (r *Round) Cut(width int) []BoardRange {
	var ranges []BoardRange
	for b := range r.Boards {
		first := int(r.Boards[b].First)
		last := first + r.Boards[b].Width()
		if k := len(ranges) - 1; k >= 0 && last-ranges[k].First <= width {
			ranges[k].LastBoard, ranges[k].Last = b+1, last
			continue
		}
		ranges = append(ranges, BoardRange{b, b + 1, first, last})
	}
	return ranges
}
