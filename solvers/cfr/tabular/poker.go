package tabular

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/nash/extensive"
)

// maxDeals bounds the deals that are listed.
const maxDeals = 1 << 20

// ErrTooLarge is returned for a game with too many deals.
var ErrTooLarge = errors.New("the game has too many deals for a tree of all of them")

// OfPoker returns a poker game with an action abstraction and cards of a kind. Payoffs are
// chips. It fails with ErrTooLarge or [extensive.ErrTooManyNodes].
func OfPoker(g *acpc.Game, actions betting.Actions, cards abstraction.Kind) (*extensive.Game, error) {
	r := &rules{game: g, actions: actions, names: map[seen]string{}}
	if !actions.ShapeOf(g, extensive.MaxNodes).Complete {
		return nil, extensive.ErrTooManyNodes
	}
	sizes, err := dealtSets(g)
	if err != nil {
		return nil, err
	}
	r.deal(sizes, abstraction.New(g, cards))
	players := make([]string, g.NumPlayers)
	for p := range players {
		players[p] = fmt.Sprintf("Player %d", p+1)
	}
	return extensive.Build(g.Name, players, r)
}

// rules are those of a poker game.
type rules struct {
	game    *acpc.Game
	actions betting.Actions
	deals   []deal
	names   map[seen]string // the cards of the first deal of a bucket
}

// A deal has all cards of a hand, as players see them.
type deal struct {
	holes   [acpc.MaxPlayers]card.Set
	boards  [acpc.MaxRounds]card.Set
	buckets [acpc.MaxRounds][acpc.MaxPlayers]int
	ranks   [acpc.MaxPlayers]int
}

// seen is a bucket of a round.
type seen struct{ round, bucket int }

// dealtSets returns the sizes of the sets of cards that are dealt: to each player, and
// then in each round.
func dealtSets(g *acpc.Game) ([]int, error) {
	sizes := slices.Repeat([]int{g.NumHoleCards}, g.NumPlayers)
	for round := range g.NumRounds {
		sizes = append(sizes, int(g.NumBoardCards[round]))
	}
	left, deals := len(g.Deck()), 1.
	for _, k := range sizes {
		for i := range k {
			deals *= float64(left-i) / float64(i+1)
		}
		left -= k
	}
	if deals > maxDeals {
		return nil, ErrTooLarge
	}
	return sizes, nil
}

// deal lists all deals.
func (r *rules) deal(sizes []int, cards *abstraction.Cards) {
	players := r.game.NumPlayers
	var each func(d deal, used card.Set, step int)
	each = func(d deal, used card.Set, step int) {
		if step == len(sizes) {
			r.add(d, cards)
			return
		}
		left := slices.DeleteFunc(slices.Clone(r.game.Deck()), used.Has)
		card.Subsets(left, sizes[step], func(s card.Set) {
			if step < players {
				d.holes[step] = s
			} else {
				d.boards[step-players] = s
			}
			each(d, used|s, step+1)
		})
	}
	each(deal{}, 0, 0)
}

// add appends a deal with what players see of it.
func (r *rules) add(d deal, cards *abstraction.Cards) {
	for p := range r.game.NumPlayers {
		view := abstraction.Deal{Hole: d.holes[p]}
		all, name := d.holes[p], names(d.holes[p])
		for round := range r.game.NumRounds {
			if board := d.boards[round]; board != 0 {
				view.Board[round] = board
				all |= board
				name += "/" + names(board)
			}
			d.buckets[round][p] = cards.Bucket(round, view)
			if key := (seen{round, d.buckets[round][p]}); r.names[key] == "" {
				r.names[key] = name
			}
		}
		d.ranks[p] = int(r.game.HandRanking.Rank(all))
	}
	r.deals = append(r.deals, d)
}

// names returns the names of cards, the highest first.
func names(set card.Set) string {
	var out strings.Builder
	for c := card.Card(card.DeckSize); c > 0; c-- {
		if set.Has(c - 1) {
			out.WriteString((c - 1).String())
		}
	}
	return out.String()
}

// A position is a point of a hand.
type position struct {
	state acpc.State
	deals []int // numbers of the possible deals
	round int   // whose cards were dealt, -1 for none
	play  string
	// groups are the deals after the next chance move, if there is one.
	groups [][]int
}

func (p *position) String() string { return p.play }

// Start returns the position before the cards are dealt.
func (r *rules) Start() *position {
	p := &position{state: r.game.NewState(0), round: -1}
	for i := range r.deals {
		p.deals = append(p.deals, i)
	}
	r.chance(p)
	return p
}

// chance deals the cards of rounds that have begun, up to one in which the players may see
// different ones.
func (r *rules) chance(p *position) {
	for !p.state.Finished() && p.round < p.state.Round() && len(p.groups) < 2 {
		p.round++
		p.groups = r.split(p.deals, p.round)
	}
	if len(p.groups) == 1 {
		p.groups = nil
	}
}

// split groups deals by the buckets of a round.
func (r *rules) split(deals []int, round int) (groups [][]int) {
	places := map[[acpc.MaxPlayers]int]int{}
	for _, i := range deals {
		key := r.deals[i].buckets[round]
		place, ok := places[key]
		if !ok {
			place = len(groups)
			places[key] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], i)
	}
	return groups
}

// Describe says who moves.
func (r *rules) Describe(p *position) extensive.Turn {
	switch {
	case p.groups != nil:
		turn := extensive.Turn{Player: extensive.Chance}
		for _, group := range p.groups {
			turn.Actions = append(turn.Actions, r.dealt(&r.deals[group[0]], p.round))
			turn.Probabilities = append(turn.Probabilities, big.NewRat(int64(len(group)), int64(len(p.deals))))
		}
		return turn
	case p.state.Finished():
		return extensive.Turn{Payoffs: r.payoffs(p)}
	}
	player := p.state.Actor()
	turn := extensive.Turn{Player: player, Set: r.names[seen{p.round, r.deals[p.deals[0]].buckets[p.round][player]}]}
	if p.play != "" {
		turn.Set += " " + p.play
	}
	for a := range r.actions.Legal(&p.state) {
		turn.Actions = append(turn.Actions, r.actionName(&p.state, a))
	}
	return turn
}

// dealt names the cards that a round adds.
func (r *rules) dealt(d *deal, round int) string {
	var words []string
	if round == 0 {
		for _, hole := range d.holes[:r.game.NumPlayers] {
			words = append(words, names(hole))
		}
	}
	if board := d.boards[round]; board != 0 {
		words = append(words, names(board))
	}
	return strings.Join(words, " ")
}

func (r *rules) actionName(s *acpc.State, a acpc.Action) string {
	switch {
	case a.Type == acpc.Fold:
		return "fold"
	case a.Type == acpc.Call && s.CanFold():
		return "call"
	case a.Type == acpc.Call:
		return "check"
	case r.game.Betting == acpc.Limit:
		return "raise"
	}
	return s.Describe(a)
}

// Next returns the position after an action or a deal.
func (r *rules) Next(p *position, action int) *position {
	next := &position{state: p.state, deals: p.deals, round: p.round, play: p.play}
	if p.groups != nil {
		next.deals = p.groups[action]
		r.chance(next)
		return next
	}
	for a := range r.actions.Legal(&p.state) {
		if action == 0 {
			next.state.Apply(a)
			next.play += a.String()
			break
		}
		action--
	}
	if !next.state.Finished() && next.state.Round() > p.state.Round() {
		next.play += "/"
	}
	r.chance(next)
	return next
}

// payoffs returns the averages of what each position wins with the possible deals. Shares
// of a pot are fractions of at most 2520, the least common multiple of 1 to 10.
func (r *rules) payoffs(p *position) []*big.Rat {
	const shares = 2520
	pot := p.state.Pot()
	payoffs := make([]*big.Rat, r.game.NumPlayers)
	for player := range payoffs {
		sum := int64(0)
		for _, i := range p.deals {
			ranks := r.deals[i].ranks
			for q, folded := range pot.Folded {
				if folded {
					ranks[q] = -1
				}
			}
			sum += int64(math.Round(pot.Value(player, &ranks) * shares))
		}
		payoffs[player] = big.NewRat(sum, shares*int64(len(p.deals)))
	}
	return payoffs
}
