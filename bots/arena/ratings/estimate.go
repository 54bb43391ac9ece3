package ratings

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/history"
	"gamebots/internal/parallel"
	"gamebots/internal/stats"
	"gamebots/solvers/evaluate/aivat"
)

// Played is a finished hand of poker from the view of one player.
type Played struct {
	State    *acpc.State
	Position int // the player's position
	// Deal identifies the cards: hands of one deal are one observation.
	Deal string
}

// Estimate is the estimate of a player's winnings in chips a hand, by deals.
type Estimate struct {
	Hands          int
	Won, Estimated stats.Sample
	// ByDeal are the observations of Estimated, in the order in which the deals came first.
	ByDeal []float64
}

// ExactGain is a Gain that only rounding leaves finite: with both strategies known
// the estimate is the exact value.
const ExactGain = 1e9

// Gain returns how many times more hands the plain mean of chips needs for the same
// interval. It is NaN for a single observation, and where neither of the two varies.
func (e *Estimate) Gain() float64 {
	ratio := e.Won.StandardError() / e.Estimated.StandardError()
	return ratio * ratio
}

// Inconsistent reports whether chips and estimate are further apart than luck explains.
// They have the same mean if the hands were played by the strategy. By the triangle
// inequality the standard error of their difference is at most the sum of both; the
// limit is five times that sum, after at least 100 hands.
func (e *Estimate) Inconsistent() bool {
	apart := math.Abs(e.Won.Mean() - e.Estimated.Mean())
	return e.Won.N >= 100 && apart > 5*(e.Won.StandardError()+e.Estimated.StandardError())
}

// Each yields the hands of a list for [EstimateHands].
func Each(hands []Played) iter.Seq2[Played, error] {
	return func(yield func(Played, error) bool) {
		for _, h := range hands {
			if !yield(h, nil) {
				return
			}
		}
	}
}

// batch is how many hands a thread estimates at a time.
const batch = 256

// EstimateHands estimates all hands on threads, with the same bits for any number of them. A hand is only read until
// the next is asked for.
func EstimateHands(
	ctx context.Context, estimator *aivat.Estimator, threads int, hands iter.Seq2[Played, error],
) (Estimate, error) {
	deals := &deals{number: map[string]int{}}
	threads = max(1, threads)
	group := make([]Played, 0, batch*threads)
	terms := make([]aivat.Corrections, batch*threads)
	flush := func() error {
		err := parallel.Try(threads, len(group), func(i int) (err error) {
			terms[i], err = estimator.Corrections(group[i].State, group[i].Position)
			return err
		})
		for i := range group {
			deals.add(group[i].Deal, group[i].State.Value(group[i].Position), &terms[i])
		}
		group = group[:0]
		return err
	}
	for hand, err := range hands {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return Estimate{}, err
		}
		state := *hand.State
		hand.State = &state
		if group = append(group, hand); len(group) == cap(group) {
			if err := flush(); err != nil {
				return Estimate{}, err
			}
		}
	}
	if err := flush(); err != nil {
		return Estimate{}, err
	}
	return deals.estimate(), nil
}

// deals sums up the hands of each deal.
type deals struct {
	number map[string]int
	sums   []dealSum
	hands  int
}

// dealSum is the sum of the hands of a deal.
type dealSum struct {
	hands, won float64
	terms      aivat.Corrections
}

func (d *deals) add(deal string, won float64, terms *aivat.Corrections) {
	i, ok := d.number[deal]
	if !ok {
		i = len(d.sums)
		d.number[deal] = i
		d.sums = append(d.sums, dealSum{})
	}
	d.hands++
	s := &d.sums[i]
	s.hands++
	s.won += won
	for k, x := range terms {
		s.terms[k] += x
	}
}

func (d *deals) estimate() Estimate {
	e := Estimate{Hands: d.hands}
	for i := range d.sums {
		s := &d.sums[i]
		s.won /= s.hands
		for k := range s.terms {
			s.terms[k] /= s.hands
		}
		e.Won.Add(s.won)
	}
	e.ByDeal = weighted(d.sums)
	for _, x := range e.ByDeal {
		e.Estimated.Add(x)
	}
	return e
}

// Logged returns a player's hands in the logs of a dealer, in which those of others are passed over. It reads the logs
// once before, to see which hands are of one deal: those with the same number and hole cards in matches of one seed, as
// of a duplicate match, and those of a match that numbers repeated deals on, see [joinRepeated].
func Logged(
	ctx context.Context, player string, logs iter.Seq2[*history.Hand, error],
) (iter.Seq2[Played, error], error) {
	seed, last, players, others := "", uint32(0), 0, map[string]bool{}
	var deals []string
	var holes []holeCards // hole cards of a match's hands, the last ones of deals
	for hand, err := range logs {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return nil, err
		}
		for _, line := range hand.Before {
			if strings.HasPrefix(line, acpc.LogTitle) {
				seed = line[strings.LastIndexByte(line, ' '):]
			}
		}
		position := slices.Index(hand.Names, player)
		if position < 0 {
			for _, name := range hand.Names {
				others[name] = true
			}
			continue
		}
		if hidden := slices.Index(hand.Hidden[:len(hand.Names)], true); hidden >= 0 {
			return nil, fmt.Errorf("hand %d: the hole cards of %s are not in the log", hand.HandID, hand.Names[hidden])
		} else if slices.Index(hand.Names[position+1:], player) >= 0 {
			return nil, fmt.Errorf("hand %d: all players are called %q", hand.HandID, player)
		}
		if hand.HandID <= last { // another match
			joinRepeated(deals, holes, players)
			holes = nil
		}
		last, players, holes = hand.HandID, len(hand.Names), append(holes, hand.Holes)
		deals = append(deals, fmt.Sprint(seed, hand.HandID, hand.Holes))
	}
	joinRepeated(deals, holes, players)
	if len(deals) == 0 && len(others) > 0 {
		return nil, fmt.Errorf("no hand of %q, but of %s", player, strings.Join(slices.Sorted(maps.Keys(others)), ", "))
	}
	return func(yield func(Played, error) bool) {
		left := deals
		for hand, err := range logs {
			if err != nil {
				yield(Played{}, err)
				return
			}
			if position := slices.Index(hand.Names, player); position >= 0 {
				// The logs of a match that goes on have grown.
				if len(left) == 0 || !yield(Played{&hand.State, position, left[0]}, nil) {
					return
				}
				left = left[1:]
			}
		}
	}, nil
}

type holeCards = [acpc.MaxPlayers][acpc.MaxHoleCards]card.Card

// joinRepeated makes one deal of hands with the same hole cards, if a match plays each of its deals as often as there
// are players: at once, or after all others. Holes has its hands, which are the last ones of deals.
func joinRepeated(deals []string, holes []holeCards, players int) {
	deals = deals[len(deals)-len(holes):]
	for _, first := range []func(hand int) int{
		func(hand int) int { return hand - hand%players },
		func(hand int) int { return hand % max(1, len(holes)/players) },
	} {
		hand := 0
		for hand < len(holes) && holes[hand] == holes[first(hand)] {
			hand++
		}
		for i := 0; hand == len(holes) && i < hand; i++ {
			deals[i] = deals[first(i)]
		}
	}
}
