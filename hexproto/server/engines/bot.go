package engines

import (
	"fmt"
	"runtime"

	"gamebots/hexproto"
)

// Bot is a bot that a server itself plays.
type Bot struct {
	Name  string
	Rules []string // names of the rules that it plays
	Bot   hexproto.Bot
	About string // how it plays, a sentence for those who choose an opponent
	// Ratings are those that were measured in an arena, by the names of the rules. The
	// bot begins with them in every kind of game.
	Ratings map[string]int
	Memory  int64 // bytes that the engine of a game takes, 0 for next to none
	// Fixed says that the bot does the same work for each move. It has time for it however many games wait, so
	// that it is as strong as its rating.
	Fixed bool
}

// NameError is the error of a bot whose name is not valid, or that of another one.
type NameError struct {
	Name    string
	Problem string
}

func (e *NameError) Error() string { return fmt.Sprintf("bot %q: %s", e.Name, e.Problem) }

// MaxThinking is how many bots of a server think at a time.
func MaxThinking() int { return max(1, runtime.GOMAXPROCS(0)/2) }
