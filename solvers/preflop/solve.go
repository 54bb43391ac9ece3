package preflop

import (
	"cmp"
	"context"
	"slices"
)

// A Solution is how both players play a game.
type Solution struct {
	Iterations int `json:"iterations"`
	// Values are what the players win in big blinds a hand, and Gain what a best response to the other one would win
	// more, in the mean of both.
	Values [2]float64 `json:"values"`
	Gain   float64    `json:"gain"`

	game Game
	root *node
}

// A Decision is what a player does after some betting.
type Decision struct {
	Line    []Action `json:"line"`
	Player  int      `json:"player"`
	Actions []Action `json:"actions"`
	// Often is the part of all hands in which it comes.
	Often float64 `json:"often"`
	// Reach is how often the player comes here with a class of hands ([ranges.Class]), from 0 to 1, and Strategy how
	// often it then plays an action, by action and class.
	Reach    []float64   `json:"reach"`
	Strategy [][]float64 `json:"strategy"`
}

// checked is how many iterations lie between two best responses.
const checked = 50

// Solve solves a game until best responses gain no more than a target, in big blinds a hand, or for so many iterations.
// When ctx is done it stops, and returns the cause with the solution so far, whose values are older.
func Solve(ctx context.Context, g Game, target float64, iterations int) (*Solution, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	s := &Solution{game: g, root: g.tree([]Action{}, SmallBlind, [2]float64{.5, 1}, 1, 0, nobody)}
	ones := slices.Repeat([]float64{1}, classes)
	for s.Iterations < iterations {
		if err := ctx.Err(); err != nil {
			return s, cmp.Or(context.Cause(ctx), err)
		}
		s.Iterations++
		for player := range 2 {
			s.improve(s.root, player, ones, ones)
		}
		if s.Iterations%checked > 0 && s.Iterations < iterations {
			continue
		}
		s.Gain = 0
		for player := range 2 {
			s.Values[player] = mean(s.value(s.root, player, ones, false))
			s.Gain += (mean(s.value(s.root, player, ones, true)) - s.Values[player]) / 2
		}
		if s.Gain <= target {
			break
		}
	}
	return s, nil
}

// mean returns what a player wins a hand by what it wins with each class, summed over the hands of both.
func mean(values []float64) (sum float64) {
	pairs, _ := tables()
	all := 0.
	for a, x := range values {
		sum += x
		for _, n := range pairs[a] {
			all += n
		}
	}
	return sum / all
}

// end returns what a player wins with each class at the end of a hand, against the reach of the other one.
func (s *Solution) end(n *node, player int, reach []float64) []float64 {
	pairs, shares := tables()
	values, pot := make([]float64, classes), n.spent[0]+n.spent[1]
	switch {
	case n.folded && n.actor == player:
		pairs.rows(values, reach, -n.spent[player])
	case n.folded:
		pairs.rows(values, reach, n.spent[1-player])
	}
	rake := 0.
	for _, x := range n.end {
		if rake += s.game.Rake * pot * x.pots * x.part; player == SmallBlind {
			x.won.rows(values, reach, pot*x.part)
		} else {
			x.won.columns(values, reach, -pot*x.part)
		}
	}
	if rake > 0 {
		if s.game.Cap > 0 {
			rake = min(rake, s.game.Cap)
		}
		shares.rows(values, reach, -rake)
	}
	return values
}

// rows adds the products of the rows of a matrix with a vector, times a number.
func (m *matrix) rows(to, x []float64, times float64) {
	var at [classes]uint8 // where the vector is not 0
	n := 0
	for b, y := range x {
		if y != 0 {
			at[n] = uint8(b)
			n++
		}
	}
	for a := range m {
		row, sums, i := &m[a], [4]float64{}, 0 // several, so that one need not wait for another
		for ; i+4 <= n; i += 4 {
			for k := range sums {
				b := at[i+k]
				sums[k] += row[b] * x[b]
			}
		}
		for ; i < n; i++ {
			sums[0] += row[at[i]] * x[at[i]]
		}
		to[a] += times * (sums[0] + sums[1] + sums[2] + sums[3])
	}
}

// columns does the same with the columns.
func (m *matrix) columns(to, x []float64, times float64) {
	to = to[:classes]
	for a := range m {
		if by := times * x[a]; by != 0 {
			for b, y := range m[a] {
				to[b] += by * y
			}
		}
	}
}

// improve updates a player's regrets from a node on by those of an iteration, and returns what it wins with each class.
// Own and reach are how often it and the other player come there.
func (s *Solution) improve(n *node, player int, own, reach []float64) []float64 {
	if len(n.actions) == 0 {
		return s.end(n, player, reach)
	}
	if !n.given {
		normalize(n.strategy, n.regrets)
	}
	weight := float64(s.Iterations) * float64(s.Iterations) // with squares a quarter fewer are enough
	values, each := make([]float64, classes), make([][]float64, len(n.actions))
	for a, child := range n.children {
		next := make([]float64, classes)
		if n.actor == player {
			for h, p := range n.strategy[a] {
				next[h] = own[h] * p
				n.sums[a][h] += weight * next[h]
			}
			each[a] = s.improve(child, player, next, reach)
		} else {
			for h, p := range n.strategy[a] {
				next[h] = reach[h] * p
			}
			each[a] = s.improve(child, player, own, next)
		}
		for h, v := range each[a] {
			if n.actor == player {
				v *= n.strategy[a][h]
			}
			values[h] += v
		}
	}
	if n.actor == player {
		for a := range each {
			for h, v := range each[a] {
				n.regrets[a][h] = max(0, n.regrets[a][h]+v-values[h])
			}
		}
	}
	return values
}

// normalize sets probabilities by action and class to parts of weights, alike where there are none.
func normalize(to, weights [][]float64) {
	for h := range classes {
		sum := 0.
		for a := range weights {
			sum += weights[a][h]
		}
		for a := range weights {
			if to[a][h] = 1 / float64(len(weights)); sum > 0 {
				to[a][h] = weights[a][h] / sum
			}
		}
	}
}

// value returns what a player wins with each class from a node on by the average strategy, or by a best response to
// that of the other one.
func (s *Solution) value(n *node, player int, reach []float64, best bool) []float64 {
	if len(n.actions) == 0 {
		return s.end(n, player, reach)
	}
	average := average(n)
	values := make([]float64, classes)
	for a, child := range n.children {
		next := reach
		if n.actor != player {
			next = times(reach, average[a])
		}
		for h, v := range s.value(child, player, next, best) {
			switch {
			case n.actor != player:
				values[h] += v
			case !best || n.given:
				values[h] += v * average[a][h]
			case a == 0 || v > values[h]:
				values[h] = v
			}
		}
	}
	return values
}

// average returns the average strategy at a node, by action and class.
func average(n *node) [][]float64 {
	if n.given {
		return n.strategy
	}
	average := make([][]float64, len(n.sums))
	for a := range average {
		average[a] = make([]float64, classes)
	}
	normalize(average, n.sums)
	return average
}

func times(x, y []float64) []float64 {
	z := make([]float64, len(x))
	for i := range z {
		z[i] = x[i] * y[i]
	}
	return z
}

// Decisions returns what the players do at all decisions, a player's own actions before the other one's answers.
func (s *Solution) Decisions() (list []Decision) {
	pairs, _ := tables()
	var visit func(n *node, reach [2][]float64)
	visit = func(n *node, reach [2][]float64) {
		if len(n.actions) == 0 {
			return
		}
		strategy := average(n)
		met := make([]float64, classes)
		pairs.rows(met, reach[1], 1)
		often := mean(times(met, reach[0]))
		list = append(list, Decision{n.line, n.actor, n.actions, often, reach[n.actor], strategy})
		for a, child := range n.children {
			next := reach
			next[n.actor] = times(reach[n.actor], strategy[a])
			visit(child, next)
		}
	}
	ones := slices.Repeat([]float64{1}, classes)
	visit(s.root, [2][]float64{ones, ones})
	return list
}
