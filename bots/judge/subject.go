package judge

import (
	"gamebots/acpc"
	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/cudalib"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// A Subject is a player who is judged.
type Subject struct {
	Name   string         // file of the strategy, kind of the simple player, or command of the agent
	Policy *policy.Policy // nil for a simple player and for an agent
	// Agent is instead of a policy somebody's program, which is asked what it does.
	Agent *agent.Agent
	// Strategy is instead of all these the strategy that a training has at the moment. Only a best response in the
	// game itself judges it, on this machine.
	Strategy *bestresponse.Strategy
	Game     *acpc.Game
	Style    poker.Style // how the strategy is played
	// Raises are those of the betting tree of a simple player. For a policy they are those that a best response in the
	// game itself has beside the policy's, which translates them as it is played; the zero Actions are none.
	Raises betting.Actions
	// Rounds are those in which a best response in the game itself deviates from the strategy, as for
	// [betting.ParseRounds]; "" is all.
	Rounds string
}

// Close closes the strategy of a file, and ends an agent.
func (s *Subject) Close() {
	if s.Agent != nil {
		s.Agent.Close()
	}
	if s.Policy != nil {
		s.Policy.Close()
	}
}

// plain returns the kind of a simple player, "" for a strategy or an agent.
func (s *Subject) plain() policy.Plain {
	if s.Policy != nil || s.Agent != nil {
		return ""
	}
	return policy.Plain(s.Name)
}

// strategy returns the subject as what a best response in the game itself answers.
func (s *Subject) strategy() (*bestresponse.Strategy, error) {
	if s.Strategy != nil {
		return s.Strategy, nil
	}
	if s.Policy == nil {
		return bestresponse.PlainIn(s.plain(), s.Game, s.Raises)
	}
	return bestresponse.Read(s.Policy, s.Style.Apply)
}

// response returns the best response in the game itself.
func (s *Subject) response() (*bestresponse.Response, error) {
	strategy, err := s.strategy()
	if err != nil {
		return nil, err
	}
	if s.Policy != nil && !s.Raises.All() {
		return bestresponse.NewWith(strategy, s.Raises)
	}
	follow, err := betting.ParseRounds(strategy.Tree.Game, s.Rounds)
	for r := range strategy.Tree.Game.NumRounds {
		follow[r] = !follow[r]
	}
	return bestresponse.NewFollowing(strategy, follow), err
}

// Means are the threads and devices that do the work.
type Means struct {
	Threads int
	Memory  int64 // bytes that the work may take
	Device  cudalib.Choice
}
