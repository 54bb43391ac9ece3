package bestresponse

// The portable versions of the loops over hands. On amd64 the same is done with AVX2 where
// the processor has it, to the same bits.

// followGo is the portable follow.
func followGo(x []tile, order []uint64, reach, table []float32, width, columns int, path []uint32) {
	for k, entry := range order {
		copy(x[k][:], reach[int(entry&handMask)*width:])
		for _, column := range path {
			p := (*tile)(table[(int(entry>>bucketBit)*columns+int(column))*width:])
			for l := range p {
				x[k][l] *= p[l]
			}
		}
	}
}

// addGo is the portable add.
func (s *sums) addGo(order []uint64, x []tile) {
	for k, entry := range order {
		first, second := &s.by[entry>>handBits&cardMask], &s.by[entry>>secondBit&cardMask]
		for l, reach := range &x[k] {
			s.all[l] += reach
			first[l] += reach
		}
		if s.twoCards {
			for l, reach := range &x[k] {
				second[l] += reach
			}
		}
	}
}

// valueGo is the portable value.
func (s *sums) valueGo(to []tile, order []uint64, own []tile, pays *tile, mode opMode) {
	for k, entry := range order {
		first, second := &s.by[entry>>handBits&cardMask], &s.by[entry>>secondBit&cardMask]
		var value tile
		for l := range value {
			value[l] = s.all[l] - first[l]
		}
		if s.twoCards {
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

// joinGo is the portable join.
func joinGo(to, values []tile, mode opMode) {
	for k := range to {
		values[k].join(&to[k], mode)
	}
}

func (t *tile) join(to *tile, mode opMode) {
	switch mode {
	case modeSet:
		*to = *t
	case modeMax:
		for l, v := range t {
			if v > to[l] {
				to[l] = v
			}
		}
	case modeSum:
		for l, v := range t {
			to[l] += v
		}
	}
}
