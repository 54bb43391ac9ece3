package extensive

import (
	"cmp"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/nash/game"
)

// ErrTooLarge is returned for a game whose reduced normal form is too large.
var ErrTooLarge = errors.New("the reduced normal form is too large")

// Bounds of the work for a reduced normal form.
const (
	maxPlanActions = 1 << 22 // actions of all strategies of a player
	maxNames       = 1 << 24 // bytes of the names of all strategies
	maxProducts    = 1 << 27 // pairs of a leaf and a combination of strategies that leads there
)

// A plan is a strategy of the reduced normal form: the sequences that it takes.
type plan []int32

// ReadNormalForm reads a game in normal form, see [game.ReadNormalForm], or the reduced normal form of
// one in Gambit's .efg format.
func ReadNormalForm(file string, text []byte) (*game.NormalForm, error) {
	if !IsEFG(text) {
		return game.ReadNormalForm(file, text)
	}
	g, err := Read(file, text)
	if err != nil {
		return nil, err
	}
	q, err := g.Sequences()
	if err != nil {
		return nil, err
	}
	return q.NormalForm()
}

// NormalForm returns the reduced normal form. Its strategies have actions only at the
// information sets to which their own actions can lead, and are named by them. It fails
// with ErrTooLarge, and for games of one player.
func (q *Sequences) NormalForm() (*game.NormalForm, error) {
	g := q.Game
	f := &game.NormalForm{Title: g.Title, Warning: g.Warning, Players: g.Players}
	if len(g.Players) < 2 {
		return nil, errors.New("a game of one player has no normal form")
	}
	cells, named := 1, 0
	taking := make([][][]int, len(g.Players)) // strategies of each player that take each sequence
	for p := range g.Players {
		plans, err := q.plans(p, game.MaxCells/cells)
		if err != nil {
			return nil, err
		}
		cells *= len(plans)
		names := make([]string, len(plans))
		taking[p] = make([][]int, q.Count[p])
		for i, plan := range plans {
			names[i] = q.planName(p, plan)
			if named += len(names[i]); named > maxNames {
				return nil, ErrTooLarge
			}
			taking[p][0] = append(taking[p][0], i)
			for _, sequence := range plan {
				taking[p][sequence] = append(taking[p][sequence], i)
			}
		}
		f.Strategies, f.Sizes = append(f.Strategies, names), append(f.Sizes, len(plans))
	}
	for range g.Players {
		payoffs := make([]*big.Rat, cells)
		for c := range payoffs {
			payoffs[c] = new(big.Rat)
		}
		f.Payoffs = append(f.Payoffs, payoffs)
	}
	if err := q.addPayoffs(f, taking); err != nil {
		return nil, err
	}
	return f, nil
}

// plans returns all plans of a player, or an error if there are too many.
func (q *Sequences) plans(player, most int) ([]plan, error) {
	after := make([][]plan, q.Count[player]) // plans for what follows each sequence
	for i := range after {
		after[i] = []plan{{}}
	}
	work := 0
	for _, set := range slices.Backward(q.Sets[player]) {
		var here []plan
		for a := range q.Game.Sets[set].Actions {
			sequence := q.First[set] + int32(a)
			for _, p := range after[sequence] {
				here = append(here, slices.Concat(plan{sequence}, p))
				work += 1 + len(p)
			}
			if work > maxPlanActions {
				return nil, ErrTooLarge
			}
			after[sequence] = nil
		}
		before := after[q.Parent[set]]
		work += actions(here)*len(before) + actions(before)*len(here)
		if len(here)*len(before) > most || work > maxPlanActions {
			return nil, ErrTooLarge
		}
		var both []plan
		for _, p := range here {
			for _, r := range before {
				both = append(both, slices.Concat(p, r))
			}
		}
		after[q.Parent[set]] = both
	}
	return after[0], nil
}

// actions returns the number of actions of all plans.
func actions(plans []plan) (n int) {
	for _, p := range plans {
		n += len(p)
	}
	return n
}

// planName joins the names of a plan's actions, or their numbers.
func (q *Sequences) planName(player int, p plan) string {
	words := make([]string, len(p))
	for i, sequence := range p {
		set := q.setOf(player, sequence)
		action := int(sequence - q.First[set])
		words[i] = cmp.Or(q.Game.Sets[set].Actions[action], strconv.Itoa(action+1))
	}
	return strings.Join(words, ",")
}

// addPayoffs adds the payoffs of each leaf to the cells that lead there.
func (q *Sequences) addPayoffs(f *game.NormalForm, taking [][][]int) error {
	g := q.Game
	products := 0
	chance := make([]*big.Rat, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		chance[i] = one
		if n.Parent != None {
			chance[i] = chance[n.Parent]
			if s := &g.Sets[g.Nodes[n.Parent].Set]; s.Player == Chance {
				chance[i] = new(big.Rat).Mul(chance[i], s.Probabilities[n.Action])
			}
		}
		if n.Outcome == None {
			continue
		}
		cells := []int{0}
		for p, of := range q.Of {
			plans, stride := taking[p][of[i]], f.Stride(p)
			if products += len(cells) * len(plans); products > maxProducts {
				return ErrTooLarge
			}
			var next []int
			for _, s := range plans {
				for _, c := range cells {
					next = append(next, c+stride*s)
				}
			}
			cells = next
		}
		for p, x := range g.Outcomes[n.Outcome].Payoffs {
			x = new(big.Rat).Mul(x, chance[i])
			for _, c := range cells {
				f.Payoffs[p][c].Add(f.Payoffs[p][c], x)
			}
		}
	}
	return nil
}
