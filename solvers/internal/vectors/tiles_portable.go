package vectors

// The portable versions of the loops over hands. On amd64 the same is done with AVX2 where
// the processor has it, to the same bits.

// followGo is the portable Follow.
func followGo(x []Tile, order []uint64, reach []float32, reachWidth int, table []float32, width, columns int,
	path []uint32) {
	for k, entry := range order {
		copy(x[k][:], reach[int(entry&HandMask)*reachWidth:])
		for _, column := range path {
			p := (*Tile)(table[(int(entry>>BucketBit)*columns+int(column))*width:])
			for l := range p {
				x[k][l] *= p[l]
			}
		}
	}
}

// addGo is the portable Add.
func (s *Sums) addGo(order []uint64, x []Tile) {
	for k, entry := range order {
		first, second := &s.By[entry>>HandBits&CardMask], &s.By[entry>>SecondBit&CardMask]
		for l, reach := range &x[k] {
			s.All[l] += reach
			first[l] += reach
		}
		if s.TwoCards {
			for l, reach := range &x[k] {
				second[l] += reach
			}
		}
	}
}

// valueGo is the portable Value.
func (s *Sums) valueGo(to []Tile, order []uint64, own []Tile, pays *Tile, mode Mode) {
	for k, entry := range order {
		first, second := &s.By[entry>>HandBits&CardMask], &s.By[entry>>SecondBit&CardMask]
		var value Tile
		for l := range value {
			value[l] = s.All[l] - first[l]
		}
		if s.TwoCards {
			for l := range value {
				value[l] -= second[l]
			}
			if own != nil {
				for l := range value {
					value[l] += own[k][l]
				}
			}
		}
		for l := range value {
			value[l] *= pays[l]
		}
		value.join(&to[k], mode)
	}
}

// sweepGo is the portable sweep.
func (s *Sums) sweepGo(to []Tile, order []uint64, x []Tile, pays *Tile) {
	for _, entry := range order {
		first, second := &s.By[entry>>HandBits&CardMask], &s.By[entry>>SecondBit&CardMask]
		place := entry >> PlaceBit & PlaceMask
		before := Tile{}
		for l := range before {
			before[l] = s.All[l] - first[l]
		}
		if s.TwoCards {
			for l := range before {
				before[l] -= second[l]
			}
		}
		value := &to[place]
		for l := range value {
			if pays == nil {
				value[l] = before[l]
			} else {
				value[l] = (value[l] - before[l]) * pays[l]
			}
		}
		for l, reach := range &x[place] {
			s.All[l] += reach
			first[l] += reach
		}
		if s.TwoCards {
			for l, reach := range &x[place] {
				second[l] += reach
			}
		}
	}
}

// joinGo is the portable Join.
func joinGo(to, values []Tile, mode Mode) {
	for k := range to {
		values[k].join(&to[k], mode)
	}
}

func (t *Tile) join(to *Tile, mode Mode) {
	switch mode {
	case Set:
		*to = *t
	case Max:
		for l, v := range t {
			if v > to[l] {
				to[l] = v
			}
		}
	case Sum:
		for l, v := range t {
			to[l] += v
		}
	}
}

// decideGo is the portable Decide.
func decideGo(mean *Tile, values []Tile, actions [][]uint32, sigma, gains []Tile) {
	*mean = Tile{}
	var each [MaxActions]Tile
	for a := range actions {
		each[a] = SumOf(values, actions[a])
		for l, v := range each[a] {
			mean[l] += float32(sigma[a][l] * v)
		}
	}
	for a := range actions {
		for l, v := range each[a] {
			gains[a][l] += v - mean[l]
		}
	}
}

// SumOf returns the sum of some values.
func SumOf(values []Tile, from []uint32) Tile {
	sum := values[from[0]]
	for _, i := range from[1:] {
		for l, x := range values[i] {
			sum[l] += x
		}
	}
	return sum
}
