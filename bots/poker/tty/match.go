package tty

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/acpc/money"
	"gamebots/bots/arena/ratings"
	"gamebots/internal/atomicfile"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy/browse"
)

// Match is a match of a person against bots, which it deals. It is used once, by one goroutine.
type Match struct {
	Dealer   dealer.Match // the first of its Names is the person's
	Person   *Person
	Bots     []acpc.Player // the other seats
	Winnings money.Format  // how they are written
	// Review, if not nil, judges the person's decisions after each hand.
	Review *browse.Strategy
	// Log is a file that gets the hands as a dealer's log. It is complete after every hand. "" is none.
	Log string

	hands []acpc.State
	lines []byte    // lines of the log
	won   []float64 // chips won, by seat
}

// Names returns the names of a match's seats: the person's, and those of the bots.
func Names(person string, seats int) []string {
	names := []string{person}
	for len(names) < seats {
		names = append(names, "bot"+strconv.Itoa(len(names)))
	}
	return names
}

// Play plays until the last hand or until the person leaves.
func (m *Match) Play(ctx context.Context) error {
	m.won = make([]float64, m.Dealer.Game.NumPlayers)
	_, err := m.Dealer.Play(ctx, append([]acpc.Player{m.Person}, m.Bots...), m.handOver)
	if errors.Is(err, ErrQuit) {
		return nil
	}
	return err
}

// Result returns the finished hands and what the person has won in them.
func (m *Match) Result() (hands int, chips float64) { return len(m.hands), m.won[0] }

// NameAt returns the name of a position in a hand.
func (m *Match) NameAt(hand uint32, position int) string {
	return m.Dealer.Names[m.Dealer.Seat(hand, position)]
}

// handOver tells the person of a finished hand, and writes the log.
func (m *Match) handOver(s *acpc.State) error {
	position := m.Dealer.Position(s.HandID, 0)
	m.Person.HandOver(s, position)
	m.hands = append(m.hands, *s)
	for seat := range m.won {
		m.won[seat] += s.Value(m.Dealer.Position(s.HandID, seat))
	}
	if m.Review != nil {
		decisions, err := m.Review.Review(s, position)
		if err != nil {
			return err
		}
		m.printReview(decisions)
	}
	if m.Log == "" {
		return nil
	}
	m.lines = m.Dealer.AppendHand(m.lines, s)
	played := m.Dealer
	played.Hands = uint32(len(m.hands))
	return atomicfile.Write(m.Log, played.AppendScore(append(played.AppendHeader(nil), m.lines...), m.won))
}

// printReview prints what the strategy says of decisions.
func (m *Match) printReview(decisions []browse.Decision) {
	w := m.Person.Out
	for _, d := range decisions {
		where := cmp.Or(d.Betting, "the start")
		if d.Probabilities == nil {
			fmt.Fprintf(w, "  after %s, %s: the strategy has no such decision\n", where, d.Played)
			continue
		}
		var items []string
		for a, p := range d.Probabilities {
			if p >= 0.005 {
				items = append(items, fmt.Sprintf("%s %.0f%%", d.Actions[a].Name, 100*p))
			}
		}
		lost := ""
		if d.Lost != nil {
			lost = "; it loses " + m.Winnings.Brief(*d.Lost)
		}
		fmt.Fprintf(w, "  after %s, %s: the strategy plays %s%s\n", where, d.Played, strings.Join(items, ", "), lost)
	}
}

// Estimate estimates without luck what the bot of a match of two has won, by an estimator of its strategy. Where the
// bot solved rounds in play that takes as long as it has thought.
func (m *Match) Estimate(ctx context.Context, bot *aivat.Estimator, threads int) (ratings.Estimate, error) {
	var played []ratings.Played
	for i := range m.hands {
		s := &m.hands[i]
		played = append(played, ratings.Played{
			State: s, Position: m.Dealer.Position(s.HandID, 1), Deal: strconv.Itoa(i),
		})
	}
	return ratings.EstimateHands(ctx, bot, threads, ratings.Each(played))
}
