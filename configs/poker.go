package configs

import (
	"fmt"
	"slices"
	"time"

	"gamebots/internal/usererr"
)

// Poker has the settings of a poker bot. The file poker.toml explains them.
type Poker struct {
	Bot   Bot   `toml:"bot"`
	Match Match `toml:"match"`
	Log   Log   `toml:"log"`
}

// Bot is the table [bot].
type Bot struct {
	Kind      string  `toml:"kind"`      // "strategy" or a simple opponent
	Strategy  string  `toml:"strategy"`  // path of a strategy file; "" is that which comes with Game
	Game      string  `toml:"game"`      // name or path, for a bot without a strategy file
	Seed      uint64  `toml:"seed"`      // seed of the bot's own choices
	Purify    bool    `toml:"purify"`    // always play the most probable action, unless there is a threshold
	Threshold float64 `toml:"threshold"` // smaller probabilities are not played
	Solve     uint64  `toml:"solve"`     // iterations with which last rounds are solved in play
	// SolveFrom is the first round that is solved, "flop", "turn" or "river"; "" is the last one.
	SolveFrom string        `toml:"solve_from"`
	SolveTime time.Duration `toml:"solve_time"` // a hand on average; 0 is no limit
	Device    string        `toml:"device"`     // on which flops and turns are solved
}

// Match is the table [match]; a time of 0 is no limit, but for ConnectTimeout.
type Match struct {
	ConnectTimeout  time.Duration `toml:"connect_timeout"` // 0 tries once
	DecisionTimeout time.Duration `toml:"decision_timeout"`
	SilenceTimeout  time.Duration `toml:"silence_timeout"` // how long the dealer may be silent
}

// Log is the table [log].
type Log struct {
	Level string `toml:"level"`
}

// DefaultPoker returns the default settings.
func DefaultPoker() Poker {
	return Poker{
		Bot: Bot{Kind: "strategy", Purify: true, Device: "cpu"},
		Match: Match{
			ConnectTimeout:  10 * time.Second,
			DecisionTimeout: 5 * time.Second,
		},
		Log: Log{Level: "info"},
	}
}

// maxSolve is more iterations than help.
const maxSolve = 1_000_000

var (
	botKinds  = []string{"strategy", "random", "call", "raise", "allin", "fold"}
	solveFrom = []string{"", "flop", "turn", "river"}
	logLevels = []string{"debug", "info", "warn", "error"}
)

// Validate returns an [Error] if a value is invalid. It does not look at files: a missing
// one is an error when it is opened.
func (p *Poker) Validate() error {
	switch {
	case !slices.Contains(botKinds, p.Bot.Kind):
		return NotOneOf("bot.kind", p.Bot.Kind, botKinds)
	case !(p.Bot.Threshold >= 0 && p.Bot.Threshold <= 1):
		return &Error{Key: "bot.threshold", Msg: fmt.Sprintf("%v is not a probability from 0 to 1", p.Bot.Threshold)}
	case !p.Bot.Solving().Turns() && p.Bot.Device != "cpu":
		return &Error{Key: "bot.device", Msg: "has no effect unless bot.solve_from is turn or flop"}
	case !slices.Contains(logLevels, p.Log.Level):
		return NotOneOf("log.level", p.Log.Level, logLevels)
	}
	return p.Bot.Solving().Check(func(key string) string { return "bot." + key })
}

// Solving returns the settings of the rounds that the bot solves in play.
func (b *Bot) Solving() Solving { return Solving{b.Solve, b.SolveFrom, b.SolveTime} }

// Solving are the settings of rounds that are solved in play: the keys solve, solve_from and
// solve_time of [Bot].
type Solving struct {
	Iterations uint64
	From       string
	Time       time.Duration
}

// Turns reports whether turns are solved.
func (s Solving) Turns() bool { return s.From == "turn" || s.From == "flop" }

// Check returns an [Error] for values that cannot be. A key is called by name in it.
func (s Solving) Check(name func(key string) string) error {
	solve, from, limit := name("solve"), name("solve_from"), name("solve_time")
	switch {
	case s.Iterations > maxSolve:
		return &Error{Key: solve, Msg: fmt.Sprintf("%d iterations are more than %d", s.Iterations, maxSolve)}
	case !slices.Contains(solveFrom, s.From):
		return NotOneOf(from, s.From, solveFrom[1:])
	case s.Iterations == 0 && s.From != "":
		return &Error{Key: from, Msg: "has no effect without " + solve}
	case s.Time < 0:
		return &Error{Key: limit, Msg: "is negative"}
	case s.Iterations == 0 && s.Time != 0:
		return &Error{Key: limit, Msg: "has no effect without " + solve}
	}
	return nil
}

// NotOneOf returns the error of a value that is none of some words. It names the nearest.
func NotOneOf(key, value string, words []string) *Error {
	return &Error{Key: key, Msg: fmt.Sprintf("%q is not %s", value, usererr.OneOf(value, words))}
}
