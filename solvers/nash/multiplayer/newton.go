package multiplayer

import "math"

// An equation says that a player is indifferent between a strategy of the support and
// its last one.
type equation struct {
	player int
	tensor
	// derivatives are those by the probability of each strategy of each support but the
	// last one, at the expense of the last one. They are nil for the player's own.
	derivatives [][]tensor
}

// indifference returns the equations of all players.
func (s *supportSearch) indifference() []equation {
	var all []equation
	for player, support := range s.supports {
		last := s.payoffs[player][support[len(support)-1]]
		for _, strategy := range support[:len(support)-1] {
			e := equation{player, s.payoffs[player][strategy].minus(last), make([][]tensor, len(s.supports))}
			for p, other := range s.supports {
				for i := range len(other) - 1 {
					if p != player {
						e.derivatives[p] = append(e.derivatives[p], e.fixed(p, i).minus(e.fixed(p, len(other)-1)))
					}
				}
			}
			all = append(all, e)
		}
	}
	return all
}

// middle returns the middle of a box, but for the last strategy of each player.
func (s *supportSearch) middle(b box) [][]float64 {
	x := make([][]float64, len(b))
	for p := range b {
		for _, v := range b[p] {
			x[p] = append(x[p], (v.lo+v.hi)/2)
		}
	}
	s.complete(x)
	return x
}

// radii returns how far a box reaches from a point, and a little more.
func (s *supportSearch) radii(x [][]float64, b box) []float64 {
	var radii []float64
	for p, support := range s.supports {
		for i := range len(support) - 1 {
			radii = append(radii, 1.01*max(math.Abs(x[p][i]-b[p][i].lo), math.Abs(x[p][i]-b[p][i].hi))+margin)
		}
	}
	return radii
}

// newton looks for a solution of the equations of indifference from a point on, which
// it changes. It reports whether it converged.
func (s *supportSearch) newton(x [][]float64) bool {
	for range 10 {
		inverse := invert(s.jacobian(x))
		if inverse == nil {
			return false
		}
		values := make([]float64, len(s.equations))
		for i, e := range s.equations {
			values[i] = e.at(own(x, e.player))
		}
		n, largest := 0, 0.0
		for p := range x {
			for i := range len(x[p]) - 1 {
				step := 0.0
				for j, v := range values {
					step += inverse[n][j] * v
				}
				x[p][i] -= step
				largest = max(largest, math.Abs(step))
				n++
			}
		}
		s.complete(x)
		if largest > 4 {
			return false
		}
		if largest < 1e-14 {
			break
		}
	}
	return true
}

// complete sets the last probability of each player.
func (s *supportSearch) complete(x [][]float64) {
	for p := range x {
		last := len(x[p]) - 1
		x[p][last] = 1
		for _, q := range x[p][:last] {
			x[p][last] -= q
		}
	}
}

// own returns mixed strategies in which a player's own count as one.
func own(x [][]float64, player int) [][]float64 {
	o := append([][]float64(nil), x...)
	o[player] = []float64{1}
	return o
}

func (s *supportSearch) jacobian(x [][]float64) [][]float64 {
	m := make([][]float64, len(s.equations))
	for i, e := range s.equations {
		for p := range x {
			for k := range len(x[p]) - 1 {
				entry := 0.0
				if d := e.derivatives[p]; d != nil {
					at := own(x, e.player)
					at[p] = []float64{1}
					entry = d[k].at(at)
				}
				m[i] = append(m[i], entry)
			}
		}
	}
	return m
}

// krawczyk applies Krawczyk's operator to the box with these radii around a point. It
// reports whether the box has exactly one solution, which then is within the radii near
// of the point, or none. Neither may be known.
func (s *supportSearch) krawczyk(x [][]float64, radii []float64) (near []float64, unique, none bool) {
	inverse := invert(s.jacobian(x))
	if inverse == nil {
		return nil, false, false
	}
	b := s.around(x, radii)
	// The derivatives over the box, and the values at the point.
	derivatives, values := make([][]interval, len(s.equations)), make([]interval, len(s.equations))
	zero := make([]float64, len(radii))
	point := s.around(x, zero)
	for i, e := range s.equations {
		values[i] = e.over(point.others(e.player))
		for p := range x {
			for k := range len(x[p]) - 1 {
				entry := interval{}
				if d := e.derivatives[p]; d != nil {
					others := b.others(e.player)
					others[p] = []interval{{1, 1}}
					entry = d[k].over(others)
				}
				derivatives[i] = append(derivatives[i], entry)
			}
		}
	}
	unique = true
	for n := range radii {
		// Row n of C F(x) and of I - C F'(b), with a bound of the rounding of these sums.
		moved, size, spread := interval{}, 0.0, 0.0
		for i, v := range values {
			c := interval{inverse[n][i], inverse[n][i]}
			moved = moved.add(c.mul(v))
			size += math.Abs(inverse[n][i])
			spread += margin * math.Abs(inverse[n][i]) * max(math.Abs(v.lo), math.Abs(v.hi))
		}
		for k := range radii {
			entry := interval{}
			if k == n {
				entry = interval{1, 1}
			}
			for i := range s.equations {
				c := interval{-inverse[n][i], -inverse[n][i]}
				entry = entry.add(c.mul(derivatives[i][k]))
			}
			spread += (max(math.Abs(entry.lo), math.Abs(entry.hi)) + margin*(1+size)) * radii[k]
		}
		near = append(near, max(math.Abs(moved.lo), math.Abs(moved.hi))+spread)
		unique = unique && near[n] < radii[n]
		none = none || max(moved.lo, -moved.hi)-spread > radii[n]
	}
	return near, unique, none
}
