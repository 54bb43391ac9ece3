package sequence

import (
	"context"
	"errors"
	"math/big"
	"slices"
)

// A tableau has the variables of a complementarity problem. For each sequence there are
// its weight and its loss; one of them is a row, which equals the sum of entries times the
// variables of the columns, the other one is a column, which is 0. Before these columns
// there are those of the constant, and of z divided by the priors' first weight.
//
// At the start the weights of best replies to the prior are rows, and of other sequences
// the losses. A pair of variables is numbered, from 2 on, by its place then.
type tableau struct {
	players *[2]player
	offset  [2]int // where the numbers of a player's sequences begin
	rows    [][]*big.Int
	scales  []*big.Int // divisor of each row's entries
	// The variables of rows and columns. One that began as a row has the number of its
	// pair, one that began as a column minus that, and z is 1.
	rowVar, colVar []int
	place          []int  // column of each pair's variable that began as a row, or 0
	reply          []bool // whether each pair's weight began as a row
}

// The first columns. The latter is z where it is a row, too.
const (
	constant = iota
	z
)

// errRay says that the path has no end, which the theory excludes.
var errRay = errors.New("the path of Lemke's algorithm ended on a ray")

// newTableau returns the tableau of the best replies to the prior.
func newTableau(players *[2]player) *tableau {
	t := &tableau{players: players, colVar: []int{constant, z}}
	t.offset = [2]int{1, players[0].count}
	pairs := players[0].count + players[1].count - 2
	t.reply, t.place = make([]bool, 2+pairs), make([]int, 2+pairs)
	for k := 2; k < 2+pairs; k++ {
		t.rowVar, t.colVar, t.scales = append(t.rowVar, k), append(t.colVar, -k), append(t.scales, big.NewInt(1))
	}
	t.rows = make([][]*big.Int, pairs)
	var weights, played [2][][]*big.Int
	for d := range players {
		weights[d] = t.weights(d)
		for s, w := range weights[d] {
			x := slices.Clone(w)
			x[z] = new(big.Int).Add(x[z], players[d].prior[s])
			played[d] = append(played[d], x)
		}
	}
	for d := range players {
		t.addRows(d, weights[d], played[1-d])
	}
	return t
}

// pair returns the number of a sequence's pair.
func (t *tableau) pair(d, sequence int) int { return t.offset[d] + sequence }

// zeros returns a row of n zeros.
func zeros(n int) []*big.Int {
	row := make([]*big.Int, n)
	for i := range row {
		row[i] = new(big.Int)
	}
	return row
}

// weights returns the weights of a player's sequences in terms of the columns.
func (t *tableau) weights(d int) [][]*big.Int {
	p := &t.players[d]
	weights := make([][]*big.Int, p.count)
	weights[0] = zeros(len(t.colVar))
	weights[0][constant].SetInt64(1)
	weights[0][z].Neg(p.prior[0])
	for i, h := range p.sets {
		rest := zeros(len(t.colVar))
		add(rest, weights[h.parent], 1)
		for s := h.first; s < h.first+h.count; s++ {
			if s != p.reply[i] {
				weights[s] = zeros(len(t.colVar))
				weights[s][t.pair(d, s)].SetInt64(1)
				add(rest, weights[s], -1)
			}
		}
		weights[p.reply[i]] = rest
		t.reply[t.pair(d, p.reply[i])] = true
	}
	return weights
}

// add adds a row times a sign.
func add(to, row []*big.Int, sign int64) { addTimes(to, row, big.NewInt(sign)) }

// addTimes adds a row times a number.
func addTimes(to, row []*big.Int, by *big.Int) {
	var product big.Int
	for i, x := range row {
		if x.Sign() != 0 {
			to[i].Add(to[i], product.Mul(x, by))
		}
	}
}

// addRows sets the rows of a player: the weights of best replies, and the losses of other
// sequences, given what the other player plays.
func (t *tableau) addRows(d int, weights, played [][]*big.Int) {
	p := &t.players[d]
	wins := make([][]*big.Int, p.count) // row of each sequence, with the values of the sets after it
	for s := range wins {
		wins[s] = zeros(len(t.colVar))
	}
	for at, x := range p.payoffs {
		addTimes(wins[at[0]], played[at[1]], x)
	}
	for i, h := range slices.Backward(p.sets) {
		best := p.reply[i]
		value := zeros(len(t.colVar))
		add(value, wins[best], 1)
		value[t.pair(d, best)].SetInt64(1) // the loss of the best reply
		for s := h.first; s < h.first+h.count; s++ {
			row := weights[s]
			if s != best {
				row = zeros(len(t.colVar))
				add(row, value, 1)
				add(row, wins[s], -1)
			}
			t.rows[t.pair(d, s)-2] = row
		}
		add(wins[h.parent], value, 1)
	}
}

// weight returns the weight of a sequence in the solution.
func (t *tableau) weight(d, sequence int) *big.Rat {
	v := t.pair(d, sequence)
	if !t.reply[v] {
		v = -v
	}
	if r := slices.Index(t.rowVar, v); r >= 0 {
		return new(big.Rat).SetFrac(t.rows[r][constant], t.scales[r])
	}
	return new(big.Rat)
}

// follow follows the path from z = 1 to z = 0.
func (t *tableau) follow(ctx context.Context) error {
	entering := z
	r := t.firstRow()
	for r >= 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		leaving := t.rowVar[r]
		t.pivot(r, entering)
		if leaving == z {
			return nil
		}
		entering = slices.Index(t.colVar, -leaving)
		if r = t.leavingRow(entering); r < 0 {
			return errRay
		}
	}
	return nil
}

// firstRow returns the row that becomes 0 first if z decreases from 1, or -1 if none does
// before z is 0.
func (t *tableau) firstRow() int {
	first := -1
	for r, row := range t.rows {
		if row[constant].Sign() < 0 && (first < 0 || t.smaller(r, first, z)) {
			first = r
		}
	}
	return first
}

// leavingRow returns the row that becomes 0 first if the variable of a column increases,
// or -1 if none does. It is z if z becomes 0 at the same time.
func (t *tableau) leavingRow(col int) int {
	first := -1
	for r, row := range t.rows {
		if row[col].Sign() < 0 && (first < 0 || t.smaller(r, first, col)) {
			first = r
		}
	}
	if k := slices.Index(t.rowVar, z); first >= 0 && k >= 0 && t.rows[k][col].Sign() < 0 &&
		t.compare(k, first, col, constant) == 0 {
		return k
	}
	return first
}

// smaller reports whether the ratio of a row's constant and its entry in a column, without
// sign, is smaller than that of another row. Ties are broken as if a power of a small
// number, the higher the later, had been added to each row at the start.
func (t *tableau) smaller(r, other, col int) bool {
	c := t.compare(r, other, col, constant)
	for k := 2; k < len(t.place) && c == 0; k++ {
		switch {
		case t.place[k] > 0:
			c = t.compare(other, r, col, t.place[k])
		case t.rowVar[r] == k:
			c = 1
		case t.rowVar[other] == k:
			c = -1
		}
	}
	return c < 0
}

// compare compares the entries of two rows in a column, divided by those in another column
// without their signs.
func (t *tableau) compare(r, other, by, col int) int {
	x := new(big.Int).Abs(t.rows[other][by])
	y := new(big.Int).Abs(t.rows[r][by])
	return x.Mul(x, t.rows[r][col]).Cmp(y.Mul(y, t.rows[other][col]))
}

// pivot exchanges the variables of a row and a column.
func (t *tableau) pivot(r, c int) {
	pivot := t.rows[r]
	p := pivot[c]
	pivot[c] = new(big.Int).Neg(t.scales[r])
	if p.Sign() > 0 {
		for _, x := range pivot {
			x.Neg(x)
		}
	}
	t.scales[r] = p.Abs(p)
	t.reduce(r)
	for i, row := range t.rows {
		f := row[c]
		if i == r || f.Sign() == 0 {
			continue
		}
		gcd := new(big.Int).GCD(nil, nil, new(big.Int).Abs(f), t.scales[r])
		scale := new(big.Int).Quo(t.scales[r], gcd)
		row[c] = new(big.Int)
		for _, x := range row {
			x.Mul(x, scale)
		}
		addTimes(row, pivot, f.Quo(f, gcd))
		t.scales[i].Mul(t.scales[i], scale)
		t.reduce(i)
	}
	t.rowVar[r], t.colVar[c] = t.colVar[c], t.rowVar[r]
	if v := t.colVar[c]; v > z {
		t.place[v] = c
	}
	if v := t.rowVar[r]; v > z {
		t.place[v] = 0
	}
}

// reduce divides the entries of a row and its scale by what they have in common.
func (t *tableau) reduce(r int) {
	gcd, size := new(big.Int).Set(t.scales[r]), new(big.Int)
	for _, x := range t.rows[r] {
		if gcd.IsInt64() && gcd.Int64() == 1 {
			return
		}
		if x.Sign() != 0 {
			gcd.GCD(nil, nil, gcd, size.Abs(x))
		}
	}
	for _, x := range t.rows[r] {
		x.Quo(x, gcd)
	}
	t.scales[r].Quo(t.scales[r], gcd)
}
