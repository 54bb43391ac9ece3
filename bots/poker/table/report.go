package table

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/hexproto/wire"
	"gamebots/internal/stats"
)

// Advisor judges decisions by a strategy. Any goroutine may call it.
type Advisor interface {
	// Advise rates the actions of who is to act, and looks at no cards that the player does
	// not see. It returns nil if it knows nothing of the decision.
	Advise(s *acpc.State) ([]Advice, error)
	// Fair returns what a position has won in a finished hand of two against the advisor's
	// strategy, without luck, or nil if that is not known. It depends on no cards of the
	// opponent. later is set if another call may know it.
	Fair(s *acpc.State, position int) (chips *float64, later bool)
}

// Advice rates an action by an advisor's strategy.
type Advice struct {
	Move  string   `json:"move"`
	Name  string   `json:"name"`            // the move in words, see acpc.State.Describe
	Share float64  `json:"share"`           // how often its strategy takes the action, from 0 to 1
	Value *float64 `json:"value,omitempty"` // chips that the action wins on average, if it is known
}

// Report rates a player's decisions in the finished hands by an advisor's strategy.
type Report struct {
	By    string       `json:"by"`             // the bot whose strategy it is
	Hands []HandReport `json:"hands"`          // hands in their order
	Won   float64      `json:"won"`            // chips
	Fair  *float64     `json:"fair,omitempty"` // chips without luck, if that is known for all hands
	// FairError is the half of the 95% interval of Fair.
	FairError float64 `json:"fair_error,omitempty"`
	// Partial is set if it took too long to judge all decisions, or to take out the luck.
	// Another report goes on.
	Partial bool    `json:"partial,omitempty"`
	Lost    float64 `json:"lost"` // mb by decisions that were not the best, as far as values are known
}

// HandReport is the report on a hand.
type HandReport struct {
	Hand      uint32     `json:"hand"`
	Won       float64    `json:"won"`
	Fair      *float64   `json:"fair,omitempty"`
	Decisions []Decision `json:"decisions"`
}

// Decision is a decision of the player.
type Decision struct {
	Action  int      `json:"action"` // its number in the hand, from 0
	Move    string   `json:"move"`
	Name    string   `json:"name"`           // the move in words, see acpc.State.Describe
	Round   int      `json:"round"`          // round of the hand, from 0
	Lost    *float64 `json:"lost,omitempty"` // mb less than the best action wins
	Advised []Advice `json:"advised"`        // null if the strategy does not know the betting
}

// advisor returns the advisor of a bot at the table, or any of the rules if there is none.
func (m *match) advisor(about *wire.Game) (bot string, a Advisor) {
	for seat, p := range about.Seats {
		if a := m.advisors[p.Name]; a != nil && seat != about.You {
			return p.Name, a
		}
	}
	for name, other := range m.advisors {
		if a == nil || name < bot {
			bot, a = name, other
		}
	}
	return bot, a
}

// reportTime is after which time an advisor is asked nothing more for a report. Other clients
// may wait for it. Advisors keep what they have said, so that another report does not take
// that time again.
const reportTime = time.Second

// report returns the report on the reader's decisions, or nil if there is no advisor: their strategies
// are for full stacks.
func (m *match) report(about *wire.Game) (*Report, error) {
	bot, advisor := m.advisor(about)
	if advisor == nil || about.You < 0 || m.stacks != nil {
		return nil, nil
	}
	r := &Report{By: bot, Hands: []HandReport{}}
	plays := m.given == nil && m.game.NumPlayers == 2 && about.Seats[1-about.You].Name == bot
	var fair stats.Sample
	end := time.Now().Add(reportTime)
	for h := range m.finished {
		s := &m.finished[h]
		position := m.positionOf(s, about.You)
		hand := HandReport{Hand: s.HandID, Won: m.values(s)[position], Decisions: []Decision{}}
		all, err := m.judge(&hand, s, position, advisor, end)
		if err != nil {
			return nil, err
		}
		if plays && all {
			var later bool
			if hand.Fair, later = advisor.Fair(s, position); hand.Fair != nil {
				fair.Add(*hand.Fair)
			}
			r.Partial = r.Partial || later
		}
		r.Partial = r.Partial || !all
		for _, d := range hand.Decisions {
			if d.Lost != nil {
				r.Lost += *d.Lost
			}
		}
		r.Won += hand.Won
		r.Hands = append(r.Hands, hand)
	}
	if fair.N > 1 && fair.N == len(m.finished) {
		n := float64(fair.N)
		sum := n * fair.Mean()
		r.Fair, r.FairError = &sum, n*fair.Interval95()
	}
	return r, nil
}

// judge adds the decisions at a position of a hand to its report, until a time. It reports
// whether these are all of them.
func (m *match) judge(report *HandReport, s *acpc.State, position int, advisor Advisor,
	end time.Time) (all bool, err error) {
	if m.given != nil && m.given[s.HandID].Hidden[position] {
		return true, nil // without cards there is nothing to judge
	}
	now := s.Game().NewState(s.HandID)
	now.Holes, now.Board = s.Holes, s.Board
	for i, step := range (&history.Hand{State: *s}).Steps() {
		if time.Now().After(end) {
			return false, nil
		}
		if step.Position == position {
			advised, err := advisor.Advise(&now)
			if err != nil {
				return false, err
			}
			d := Decision{Action: i, Move: step.Action.String(), Name: now.Describe(step.Action), Round: step.Round,
				Advised: advised}
			d.Lost = lost(advised, d.Move, m.game)
			report.Decisions = append(report.Decisions, d)
		}
		now.Apply(step.Action)
	}
	return !time.Now().After(end), nil
}

// lost returns how much less an action wins than the best, in mb, or nil if it is unknown or
// the game has no blinds.
func lost(advised []Advice, move string, g *acpc.Game) *float64 {
	i := slices.IndexFunc(advised, func(a Advice) bool { return a.Move == move })
	if i < 0 || advised[i].Value == nil || g.MaxBlind() == 0 {
		return nil
	}
	best := slices.MaxFunc(advised, func(a, b Advice) int { return cmp.Compare(*a.Value, *b.Value) })
	mb := (*best.Value - *advised[i].Value) * 1000 / float64(g.MaxBlind())
	return &mb
}

// recordReport writes the report as JSON.
func (m *match) recordReport(about *wire.Game) (string, bool) {
	r, err := m.report(about)
	if r == nil || err != nil {
		return "", false
	}
	text, err := json.Marshal(r)
	return string(text) + "\n", err == nil
}
