package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"gamebots/acpc"
	"gamebots/acpc/money"
	"gamebots/bots/judge/agent"
	"gamebots/bots/proc"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
)

// Spec says who is judged, and how.
type Spec struct {
	Game    *acpc.Game // for two players
	Command []string
	ACPC    bool // the command is a player of the ACPC's protocol, not an agent
	// Strategy is one of the opponents if it is not nil, and Known the same for estimates.
	Strategy *policy.Policy
	Known    *aivat.Strategy

	Deals      int // deals of a match, each played from both positions
	LocalDeals int // deals of a local best response
	Seed       uint32
	Time       time.Duration // for all
	Patience   time.Duration // for an answer
	Means      Means
	Repeat     string // the command line that judges again
	Version    string // the program's
	// OnPart, if not nil, is called when a part of the work begins.
	OnPart func(what string)
}

// Card is what was found.
type Card struct {
	*Spec
	Name    string // the bot's
	Exact   *publictree.Evaluation
	Why     string // why there is no exact value, "" if there is one
	Locals  []LocalResult
	Matches []Match
	// Failures are errors of an agent outside of matches.
	Failures    []string
	Cut         bool // the time was over before all deals were played
	Interrupted bool

	agent func(seed uint64) acpc.Player // its player in a match; nil for an ACPC player
}

// LocalResult is what a local best response wins that may do more than call in some rounds.
type LocalResult struct {
	Rounds string
	Won    *Winnings
}

// NewCard judges a bot. After an error of the bot it goes on with what is left to do. When ctx ends, the card has what
// was found before.
func NewCard(ctx context.Context, s *Spec) (*Card, error) {
	if s.Game.NumPlayers != 2 {
		return nil, fmt.Errorf("%s has %d players: bots are judged in games for two", s.Game.Name, s.Game.NumPlayers)
	}
	c := &Card{Spec: s, Name: strings.Join(s.Command, " ")}
	begun := time.Now()
	left := func() time.Duration { return max(s.Time-time.Since(begun), time.Second) }
	var a *agent.Agent
	var err error
	if s.ACPC {
		c.Why = "an ACPC player does not say with which probabilities it acts"
	} else {
		a = &agent.Agent{Command: s.Command, Game: s.Game, Patience: s.Patience}
		defer a.Close()
		c.agent = a.Seat
		err = c.evaluate(ctx, a)
	}
	if err == nil && a != nil && c.Exact == nil && len(c.Failures) == 0 {
		err = c.respond(ctx, a, func() time.Duration { return left() - s.Time/2 })
	}
	var opponents []opponent
	if err == nil {
		opponents, err = c.ladder()
	}
	for i := 0; i < len(opponents) && err == nil && !c.unable(); i++ {
		err = c.play(ctx, &opponents[i], left()/time.Duration(len(opponents)-i))
	}
	if a != nil && a.Name() != "" {
		c.Name = a.Name()
	}
	c.Interrupted = ctx.Err() != nil
	return c, err
}

// unable reports whether the bot has failed before the end of the first hand of a match: so it would in all others.
func (c *Card) unable() bool {
	return slices.ContainsFunc(c.Matches, func(m Match) bool { return m.Error != "" && m.Estimate.Hands == 0 })
}

// begin says what begins.
func (c *Card) begin(what string) {
	if c.OnPart != nil {
		c.OnPart(what)
	}
}

// failed notes the error of an agent. It returns all others.
func (c *Card) failed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.Failures = append(c.Failures, err.Error())
	return nil
}

// evaluate evaluates an agent exactly where that is possible.
func (c *Card) evaluate(ctx context.Context, a *agent.Agent) error {
	plan, err := NewPlan(&Subject{Game: c.Game, Agent: a}, c.Means)
	if err != nil {
		return err
	}
	if plan.Abstract == nil {
		c.Why = plan.Why.Error()
		return nil
	}
	c.begin("asking for all hands everywhere")
	e, _, err := plan.Abstract.Evaluate(ctx, c.Means)
	if err != nil {
		c.Why = agentFailed
		return c.failed(ctx, err)
	}
	c.Exact = &e
	return nil
}

const agentFailed = "the agent failed"

// respond plays local best responses: in all rounds, and in each of them alone.
func (c *Card) respond(ctx context.Context, a *agent.Agent, left func() time.Duration) error {
	rounds := append([]string{"all rounds"}, c.Game.RoundNames()...)
	for i, name := range rounds {
		l := LBR{Menu: "fcpa", Deals: c.LocalDeals, Seed: uint64(c.Seed)}
		for r := range c.Game.NumRounds {
			l.CallOnly[r] = i > 0 && r != i-1
		}
		c.begin("playing a local best response, " + name)
		limited, cancel := context.WithTimeout(ctx, left()/time.Duration(len(rounds)-i))
		won, err := l.Play(limited, &Subject{Game: c.Game, Agent: a}, c.Means, nil)
		late := limited.Err() != nil
		cancel()
		if err != nil && !late {
			if i == 0 {
				c.Why = agentFailed
			}
			return c.failed(ctx, err)
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		won = cmp.Or(won, &Winnings{})
		c.Cut = c.Cut || won.Deals() < l.Deals
		c.Locals = append(c.Locals, LocalResult{name, won})
	}
	return nil
}

// unit returns the unit of winnings on the card: bb/100, or chips where there are no blinds.
func (c *Card) unit() money.Format {
	f, err := money.Unit("bb100").In(c.Game)
	if err != nil {
		return money.UsualIn(c.Game)
	}
	return f
}

// Conduct is how a bot behaved in all matches.
type Conduct struct {
	Hands, Decisions      int           `json:"-"`
	Mean, Most95, Longest time.Duration `json:"-"`               // for a decision
	Illegal               int           `json:"illegal_answers"` // answers that the dealer warned of
	Warnings              []Counted     `json:"-"`
	Errors                []string      `json:"errors,omitempty"` // crashes, and answers that were none
}

// Counted is a text and how often it was said, with whatever numbers.
type Counted struct {
	Text  string
	Times int
}

func withoutNumbers(text string) string {
	return strings.Join(strings.FieldsFunc(text, unicode.IsDigit), "0")
}

// Conduct sums up the matches.
func (c *Card) Conduct() (all Conduct) {
	all.Errors = slices.Clone(c.Failures)
	var took []time.Duration
	for _, m := range c.Matches {
		all.Hands += m.Estimate.Hands
		took = append(took, m.took...)
		for _, text := range m.warnings {
			all.Illegal++
			kind := withoutNumbers(text)
			i := slices.IndexFunc(all.Warnings, func(w Counted) bool { return withoutNumbers(w.Text) == kind })
			if i < 0 {
				i = len(all.Warnings)
				all.Warnings = append(all.Warnings, Counted{Text: text})
			}
			all.Warnings[i].Times++
		}
		if m.Error != "" {
			all.Errors = append(all.Errors, fmt.Sprintf("against %s, after %s: %s", m.Opponent,
				usererr.Counted(m.Estimate.Hands, "hand", "hands"), m.Error))
		}
	}
	all.Decisions = len(took)
	all.Mean, all.Most95, all.Longest = proc.Spread(took, 95)
	return all
}
