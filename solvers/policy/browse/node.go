package browse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr/abstraction"
)

// Node has the actions of a strategy at a point, for every hand. Probabilities and values are
// by action, in the order of Actions.
type Node struct {
	Game     string   `json:"game"`
	Betting  string   `json:"betting"`
	Board    string   `json:"board"`    // rounds separated by slashes; "" if it is not known
	Round    int      `json:"round"`    // from 1
	Street   string   `json:"street"`   // the round, for people
	Position int      `json:"position"` // to act, from 1
	Players  []Player `json:"players"`  // players by position
	Pot      int64    `json:"pot"`
	ToCall   int32    `json:"to_call"`
	// Frequency is the part of the hands with the board that reach the point when all players play
	// the strategy; nil for more players and hands than can be counted.
	Frequency *float64 `json:"frequency"`
	// Path is the actions of the betting.
	Path    []Step   `json:"path"`
	Actions []Action `json:"actions"`
	Hands   []Hand   `json:"hands"`
	// Grid is the hands by class, nil in games in which two hole cards have no classes, or if
	// the board is not known.
	Grid *ranges.Grid `json:"grid,omitempty"`
	// Mapped is how many raises of the betting stand for others: see [Point].
	Mapped int `json:"mapped,omitempty"`
}

// Player is a player at a node.
type Player struct {
	Name   string `json:"name"` // the position's, see acpc.Game.PositionNames
	Spent  int32  `json:"spent"`
	Folded bool   `json:"folded"`
	Stack  int32  `json:"stack,omitempty"` // chips that are left, in no-limit games
	// Range is the reach of the player's hands by its own actions, to a thousandth, in the
	// notation of package ranges; "" where the node has no Grid.
	Range string `json:"range,omitempty"`
	// Value and Equity are the means of the player's hands in a solved spot, as those of its hands.
	Value  float64 `json:"value,omitempty"`
	Equity float64 `json:"equity,omitempty"`
}

// Step is an action of a betting sequence.
type Step struct {
	Name    string `json:"name"`    // for people, see acpc.State.Describe
	Betting string `json:"betting"` // after it
}

// Action is a legal action.
type Action struct {
	acpc.Action `json:"-"`
	Text        string `json:"action"` // "f", "c", "r" or "r300", as the ACPC's dealer writes it
	Typed       string `json:"-"`      // see acpc.Turn.Text
	Name        string `json:"name"`   // for people, see acpc.State.Describe
	// Frequency is how often it is played by the hands that reach the point.
	Frequency float64 `json:"frequency"`
	Betting   string  `json:"betting"` // after it
	Over      bool    `json:"over"`    // the betting of the hand
}

// Hand is hands that the strategy plays alike up to the point and at it, and that win the
// same.
type Hand struct {
	Cards         []string  `json:"cards"`
	Board         string    `json:"board"`
	Bucket        int       `json:"bucket"`
	Reach         float64   `json:"reach"` // reach by the player's own actions
	Probabilities []float64 `json:"probabilities"`
	// Values are the chips that each action wins in the mean, when all play the strategy after
	// it. They are known in small games, and in the last round of two-player games; nil if not,
	// or if the others never play to here.
	Values []float64 `json:"values,omitempty"`
	// Equity is the part of the pot that a hand of a solved spot wins if nobody bets any more.
	Equity float64 `json:"equity,omitempty"`

	holdings []holding // Cards
}

// holding is a player's cards, and the part of all hands that have them and come to a node. If
// the deals of a node are not counted, it is that of the player's own reach alone.
type holding struct {
	deal  abstraction.Deal
	share float64
}

// share returns the part of all hands that are these, and come to the node.
func (h *Hand) share() (sum float64) {
	for _, d := range h.holdings {
		sum += d.share
	}
	return sum
}

// Held returns what the node says of a player's hole cards; ok is false if it has none such.
func (n *Node) Held(hole card.Set) (h Hand, ok bool) {
	for _, h := range n.Hands {
		for _, d := range h.holdings {
			if d.deal.Hole == hole {
				h.Cards, h.holdings = []string{hole.String()}, []holding{d}
				return h, true
			}
		}
	}
	return Hand{}, false
}

// Text returns the hands in short: as a class of hold'em where they are of one, with their
// number if they are not all of it, and otherwise at most the first and the last of many.
func (h *Hand) Text() string {
	n := len(h.Cards)
	if len(h.Cards[0]) == 4 {
		class := classOf(h.holdings[0])
		one := !slices.ContainsFunc(h.holdings, func(d holding) bool { return classOf(d) != class })
		switch {
		case one && n == len(class.Hands()):
			return class.String()
		case one && n > 3:
			return fmt.Sprintf("%v (%d)", class, n)
		}
	}
	if n > 4 {
		return fmt.Sprintf("%s … %s (%d)", h.Cards[0], h.Cards[n-1], n)
	}
	return strings.Join(h.Cards, " ")
}

// classOf returns the class of two hole cards.
func classOf(d holding) ranges.Class {
	cards := slices.Collect(d.deal.Hole.All())
	return ranges.ClassOf(cards[0], cards[1])
}

// split divides the hands by their buckets in another abstraction.
func (h *Hand) split(bucket func(holding) int) (parts []Hand) {
	index := make(map[int]int)
	for k, d := range h.holdings {
		b := bucket(d)
		i, ok := index[b]
		if !ok {
			i = len(parts)
			index[b] = i
			part := *h
			part.Cards, part.holdings = nil, nil
			parts = append(parts, part)
		}
		parts[i].Cards = append(parts[i].Cards, h.Cards[k])
		parts[i].holdings = append(parts[i].holdings, d)
	}
	return parts
}

// Limits of a node: of the hands that it lists, and of the deals that are counted.
const (
	maxHands = 20_000
	maxDeals = 2e7
)

// At returns the node of a point. If the board is not known, the hands with all boards are
// listed; where these are too many, or the strategy's abstraction does not list them, the
// error is a [*BoardError].
func (s *Strategy) At(p Point) (*Node, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	at, err := s.node(&p.Hand)
	if err != nil {
		return nil, err
	}
	g, hand := s.Game(), &p.Hand
	position, round := hand.Actor(), hand.Round()
	n := &Node{Game: g.Name, Betting: string(hand.AppendBetting(nil)), Round: round + 1,
		Street: g.RoundNames()[round], Position: position + 1, Mapped: p.Mapped,
		Pot: hand.Pot().Chips(), ToCall: min(hand.MaxSpent(), g.Stack[position]) - hand.Spent(position)}
	for q, name := range g.PositionNames() {
		p := Player{Name: cmp.Or(name, fmt.Sprintf("position %d", q+1)), Spent: hand.Spent(q), Folded: hand.Folded(q)}
		if g.Betting == acpc.NoLimit {
			p.Stack = g.Stack[q] - p.Spent
		}
		n.Players = append(n.Players, p)
	}
	n.Path, n.Actions = path(hand), s.actions(hand)
	boards, err := s.boards(&p, round)
	if err != nil {
		return nil, err
	}
	known := p.known(g, round)
	if known {
		n.Board = boards[0].cards.BoardText()
	}
	total := 0.0
	for _, b := range boards {
		v := view{boardHands: s.newBoardHands(b.cards), node: at, position: position, weight: b.weight}
		if err := v.look(); err != nil {
			return nil, err
		}
		v.count()
		n.Hands = append(n.Hands, v.hands()...)
		if v.mass != nil && n.Frequency == nil {
			n.Frequency = new(float64)
		}
		for h := range v.Holes {
			share := v.share(h)
			total += share
			for a, q := range v.probabilities[h] {
				n.Actions[a].Frequency += share * q
			}
		}
		if known && g.NumHoleCards == 2 && g.NumSuits > 1 {
			n.Grid = v.grid(n)
			for q := range n.Players {
				n.Players[q].Range = v.rangeOf(q)
			}
		}
	}
	for a := range n.Actions {
		if total > 0 {
			n.Actions[a].Frequency /= total
		}
	}
	if n.Frequency != nil {
		*n.Frequency = total
	}
	return n, nil
}

// actions returns the actions of the strategy's tree in a hand.
func (s *Strategy) actions(hand *acpc.State) (all []Action) {
	for a := range s.tree.Shape.Betting.Legal(hand) {
		next := *hand
		next.Apply(a)
		turn := hand.Turn()
		all = append(all, Action{Action: a, Text: a.String(), Name: hand.Describe(a), Typed: turn.Text(hand.Choice(a)),
			Betting: string(next.AppendBetting(nil)), Over: next.Finished()})
	}
	return all
}

// path returns the actions of a hand.
func path(hand *acpc.State) []Step {
	all := []Step{}
	now := hand.Game().NewState(hand.HandID)
	for r := range hand.Round() + 1 {
		for _, a := range hand.Actions(r) {
			name := now.Describe(a)
			now.Apply(a)
			all = append(all, Step{Name: name, Betting: string(now.AppendBetting(nil))})
		}
	}
	return all
}

// weightedBoard is a board, as a deal without hole cards, and the part of all boards that it
// stands for.
type weightedBoard struct {
	cards  abstraction.Deal
	weight float64
}

// boards returns the boards of a point up to a round: the one that is known, or all.
func (s *Strategy) boards(p *Point, round int) ([]weightedBoard, error) {
	g := s.Game()
	if p.known(g, round) {
		b := weightedBoard{weight: 1}
		copy(b.cards.Board[:round+1], p.Board[:])
		return []weightedBoard{b}, nil
	}
	cards, ok := s.policy.Buckets.(*abstraction.Cards)
	if !ok || cards.Rounds[round].Buckets > maxHands {
		return nil, &BoardError{round, g.BoardCards(round)}
	}
	var all []weightedBoard
	total := 0.0
	for _, b := range cards.Rounds[round].Boards {
		weight, up := b.Count, b.Parent
		for r := round - 1; r >= 0; r-- {
			weight *= cards.Rounds[r].Boards[up].Count
			up = cards.Rounds[r].Boards[up].Parent
		}
		all = append(all, weightedBoard{abstraction.Deal{Board: b.Cards}, weight})
		total += weight
	}
	for i := range all {
		all[i].weight /= total
	}
	return all, nil
}

// view is a decision on a board.
type view struct {
	*boardHands
	node     int32
	position int
	weight   float64 // weight of the board

	reach         [][]float64 // reach by position
	probabilities [][]float64
	// wins is by action and hand what the action wins, summed over the other players' hands
	// with their reach; nil if it is not known.
	wins [][]float64
	// mass is by hand the sum over the other players' hands of their reach; nil if there are
	// too many to count.
	mass []float64
}

// look sets the reach, the probabilities and what the actions win.
func (v *view) look() error {
	var err error
	if v.reach, err = v.Reach(v.node); err != nil {
		return err
	}
	if v.probabilities, err = v.Probabilities(v.node); err != nil {
		return err
	}
	n := &v.tree.Nodes[v.node]
	switch {
	case v.values != nil:
		at, stride := v.policy.Entry(v.node), v.policy.Buckets.NumBuckets(int(n.Round))
		for a := range int(n.NumActions) {
			wins := make([]float64, len(v.Holes))
			for h, b := range v.Buckets(int(n.Round)) {
				wins[h] = v.values[at+a*stride+b]
			}
			v.wins = append(v.wins, wins)
		}
	case v.valued(v.node):
		v.wins, err = v.lastRound(v.node)
	}
	return err
}

// count sets the mass.
func (v *view) count() {
	deals := 1.0
	for range v.reach {
		deals *= float64(len(v.Holes))
	}
	if deals > maxDeals {
		return
	}
	for _, hole := range v.Holes {
		v.mass = append(v.mass, v.others(v.reach, v.position, hole))
	}
}

// share returns the part of all hands that have some hole cards and reach the point.
func (v *view) share(h int) float64 {
	share := v.weight * v.reach[v.position][h] / float64(len(v.Holes))
	if v.mass != nil {
		share *= v.mass[h] / v.ways()
	}
	return share
}

// hands returns the hands, those together that are played alike and win the same.
func (v *view) hands() (all []Hand) {
	type key struct {
		bucket int
		reach  float64
	}
	round, board := int(v.tree.Nodes[v.node].Round), abstraction.Deal{Board: v.Board}
	index := make(map[key][]int)
	for h, hole := range v.Holes {
		k := key{v.Buckets(round)[h], v.reach[v.position][h]}
		var values []float64
		if v.mass != nil {
			values = v.handValues(h, v.mass[h])
		}
		same := slices.IndexFunc(index[k], func(i int) bool { return near(all[i].Values, values) })
		if same < 0 {
			same = len(index[k])
			index[k] = append(index[k], len(all))
			all = append(all, Hand{Board: board.BoardText(), Bucket: k.bucket, Reach: k.reach,
				Probabilities: v.probabilities[h], Values: values})
		}
		i := index[k][same]
		all[i].Cards = append(all[i].Cards, hole.String())
		with := board
		with.Hole = hole
		all[i].holdings = append(all[i].holdings, holding{with, v.share(h)})
	}
	return all
}

// near reports whether values are the same but for rounding. Hands that a strategy plays
// alike may still win more or less than each other.
func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9*(1+math.Abs(x)) })
}

// handValues returns the chips that each action of a hand wins in the mean over the other
// players' hands, of a mass; nil if that is not known, or 0.
func (v *view) handValues(h int, mass float64) (values []float64) {
	for _, wins := range v.wins {
		if mass > 0 {
			values = append(values, wins[h]/mass)
		}
	}
	return values
}

// grid returns the hands by class.
func (v *view) grid(n *Node) *ranges.Grid {
	g := &ranges.Grid{Title: n.Title(), Ranks: v.Game().NumRanks}
	for _, a := range n.Actions {
		g.Actions, g.Names = append(g.Actions, a.Action), append(g.Names, a.Name)
	}
	g.Fill(func(add func(hole card.Set, reach float64, probabilities []float64)) {
		for h, hole := range v.Holes {
			add(hole, v.reach[v.position][h], v.probabilities[h])
		}
	})
	return g
}

// rangeOf returns the reach of a position's hands in the notation of ranges.
func (v *view) rangeOf(position int) string {
	var r ranges.Range
	for h, hole := range v.Holes {
		r.Set(hole, math.Round(1000*v.reach[position][h])/1000)
	}
	return r.String()
}

// Title returns the point in a line, for people.
func (n *Node) Title() string {
	title := n.Game + ", "
	if n.Betting == "" {
		title += "first action"
	} else {
		title += "after " + n.Betting
	}
	if n.Board != "" {
		title += " on " + n.Board
	}
	return title + fmt.Sprintf(": position %d acts, pot %d, %d to call", n.Position, n.Pot, n.ToCall)
}
