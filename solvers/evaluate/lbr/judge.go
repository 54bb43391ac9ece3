package lbr

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
)

// Options set which actions the response may take, and in which rounds.
type Options struct {
	Menu Menu
	// CallOnly are the rounds in which it only checks and calls.
	CallOnly [acpc.MaxRounds]bool
}

// Judge plays a local best response against players of a game. It may be used by several
// goroutines at once.
type Judge struct {
	options  Options
	game     *acpc.Game
	equities *belief.Equities
}

// New returns a judge of players of a game of two.
func New(g *acpc.Game, o Options) (*Judge, error) {
	if g.NumPlayers != 2 {
		return nil, fmt.Errorf("%s has %d players: a local best response is for two", g.Name, g.NumPlayers)
	}
	return &Judge{o, g, belief.NewEquities(g)}, nil
}

// Outcome is the result of a deal for the response, in chips a hand: the mean over both
// positions.
type Outcome struct {
	Won       float64 // chips
	Estimated float64 // with the same expectation and less variance
}

// Deal plays one of the deals of a seed against a player, once from each position. Soon after the end of ctx it returns
// the cause.
func (j *Judge) Deal(ctx context.Context, p belief.Player, seed uint64, deal int) (Outcome, error) {
	stream := rng.Stream(rng.At(seed, uint64(deal)))
	state := j.game.NewState(uint32(deal))
	acpc.NewShufflerFrom(rand.New(&stream)).Deal(&state)
	var out Outcome
	for position := range 2 {
		h, won, err := j.play(ctx, p, state, position, func(probability []float64) int {
			return draw(probability, stream.Float64())
		})
		if err != nil {
			return Outcome{}, fmt.Errorf("deal %d: %w", deal, err)
		}
		out.Won += h.State.Value(position) / 2
		out.Estimated += won / 2
	}
	return out, nil
}

// draw returns the number at x, in [0, 1), of a cumulative distribution.
func draw(probability []float64, x float64) int {
	last := -1
	for i, p := range probability {
		if p > 0 {
			last = i
			if x -= p; x < 0 {
				break
			}
		}
	}
	return last // the last possible one if rounding leaves a remainder
}

// errNoAction is the error for a player that does nothing with its hand.
var errNoAction = errors.New("the player takes no action with its hand")

// play plays a hand to its end, in which the player's actions are drawn by draw, and
// estimates what the response wins.
func (j *Judge) play(
	ctx context.Context, p belief.Player, s acpc.State, position int, draw func(probability []float64) int,
) (*belief.Hand, float64, error) {
	h := belief.Begin(j.equities, s, 1-position)
	for !h.State.Finished() {
		if err := context.Cause(ctx); err != nil {
			return h, 0, err
		}
		h.Deal(h.State.Round())
		if h.State.Actor() == position {
			a, err := j.decide(ctx, h, p)
			if err != nil {
				return h, 0, err
			}
			h.State.Apply(a)
			continue
		}
		c, err := p.Choices(ctx, &h.State)
		if err != nil {
			return h, 0, err
		}
		chosen := draw(c.Of(h.Dealt()))
		if chosen < 0 {
			return h, 0, errNoAction
		}
		h.Act(c, chosen)
	}
	won := h.Finish()
	return h, won + h.Corrections.Sum(), nil
}

var (
	fold = acpc.Action{Type: acpc.Fold}
	call = acpc.Action{Type: acpc.Call}
)

// decide returns the action of the response.
func (j *Judge) decide(ctx context.Context, h *belief.Hand, p belief.Player) (acpc.Action, error) {
	s := &h.State
	if j.options.CallOnly[s.Round()] {
		return call, nil
	}
	best, value := call, h.Showdown(belief.After(s, call))
	if folded := -float64(s.Spent(1 - h.Player)); s.CanFold() && folded >= value {
		best, value = fold, folded
	}
	for raise := range j.options.Menu.raises(s) {
		x, err := raised(ctx, h, p, belief.After(s, raise))
		if err != nil {
			return best, err
		}
		if x > value {
			best, value = raise, x
		}
	}
	return best, nil
}

// raised returns the value of a state after a raise of the response: the player folds, or
// calls.
func raised(ctx context.Context, h *belief.Hand, p belief.Player, s *acpc.State) (float64, error) {
	c, err := p.Choices(ctx, s)
	if err != nil {
		return 0, err
	}
	called := belief.After(s, call)
	folds := slices.Index(c.Actions, fold)
	if folds < 0 {
		return h.Showdown(called), nil
	}
	folded, calls := 0.0, make([]float64, len(h.Range))
	for i, x := range h.Range {
		out := float64(x * c.Probability[folds][i])
		folded += out
		calls[i] = x - out
	}
	return float64(folded*float64(s.Spent(h.Player))) + h.ShowdownWith(calls, called), nil
}

// Menu is the actions that the response chooses from.
type Menu struct {
	actions betting.Actions
	noRaise bool
	many    []float64 // raises of the menu of 56, as parts of the pot
}

// FC is the menu of folds and calls.
var FC = Menu{noRaise: true}

// The 56 raises of Lisý and Bowling: fractions of the pot in a geometric series, and all-in.
const (
	manyName  = "56"
	manyFirst = 0.05
	manyRatio = 1.15
	manyCount = 55
)

// ParseMenu parses "fc"; "56", which has the raises by 0.05 × 1.15^k pots for k from 0 to
// 54 and all-in; or the raises that a betting tree may have, such as "fcpa" (see
// [betting.ParseActions]). In a limit game all menus but fc are the same.
func ParseMenu(text string) (Menu, error) {
	switch text {
	case "fc":
		return FC, nil
	case manyName:
		m := Menu{}
		items := []string{"f", "c"}
		for k := range manyCount {
			m.many = append(m.many, manyFirst*math.Pow(manyRatio, float64(k)))
			items = append(items, fmt.Sprint(m.many[k]))
		}
		var err error
		m.actions, err = betting.ParseActions(strings.Join(append(items, "a"), ","))
		return m, err
	}
	actions, err := betting.ParseActions(text)
	return Menu{actions: actions}, err
}

// Many returns the raises of the menu as parts of the pot, if it has so many that a player who
// solves better knows them beforehand than one by one.
func (m Menu) Many() []float64 { return m.many }

// raises yields the raises of the player to act.
func (m Menu) raises(s *acpc.State) iter.Seq[acpc.Action] {
	return func(yield func(acpc.Action) bool) {
		if m.noRaise {
			return
		}
		for a := range m.actions.Legal(s) {
			if a.Type == acpc.Raise && !yield(a) {
				return
			}
		}
	}
}
