package configs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// BoardBot has the settings of a board-game bot. The files havannah.toml, nim.toml and
// matrix.toml explain them.
type BoardBot struct {
	Account   Account   `toml:"account"`
	Engine    Engine    `toml:"engine"`
	Time      Time      `toml:"time"`
	Accept    Accept    `toml:"accept"`
	Challenge Challenge `toml:"challenge"`
	Conduct   Conduct   `toml:"conduct"`
	Files     Files     `toml:"files"`
	Log       Log       `toml:"log"`
}

// Account is the table [account]: the bot at the server.
type Account struct {
	Token     string `toml:"token"`
	TokenFile string `toml:"token_file"`
	Name      string `toml:"name"` // name of a new account, if there is no token
}

// Engine is the table [engine].
type Engine struct {
	Rules    string `toml:"rules"`
	Kind     string `toml:"kind"` // a bot of this program, or "gtp"
	Seed     uint64 `toml:"seed"`
	Playouts uint64 `toml:"playouts"`
	// simulations of a move of mcts, or evaluations of gumbel; 0 for no limit but the time
	Simulations uint64        `toml:"simulations"`
	Net         string        `toml:"net"`     // file of a network, for mcts and gumbel
	Threads     uint64        `toml:"threads"` // threads of one game
	Device      string        `toml:"device"`  // device of minimax and mcts
	Command     []string      `toml:"command"` // command line of a GTP engine
	Setup       []string      `toml:"setup"`   // commands for it before each game
	Grace       time.Duration `toml:"grace"`   // for each step of its end
	Ponder      bool          `toml:"ponder"`
	Restarts    uint64        `toml:"restarts"` // restarts of one game's engine
}

// Network returns the file of the engine's network, or "" if it has none. Unless another one is
// named, best and gumbel have the one that comes with the program, which has the name of the game.
func (e Engine) Network() string {
	if e.Kind == "best" || e.Kind == "gumbel" {
		return cmp.Or(e.Net, e.Rules)
	}
	return e.Net
}

// Time is the table [time].
type Time struct {
	Overhead time.Duration `toml:"overhead"`
	MaxThink time.Duration `toml:"max_think"` // 0 for none
}

// Accept is the table [accept]: the challenges that the bot accepts.
type Accept struct {
	Enabled   bool          `toml:"enabled"`
	Games     uint64        `toml:"games"`      // at a time, own challenges included
	PerPlayer uint64        `toml:"per_player"` // at a time
	Sides     []uint64      `toml:"sides"`      // sides of Havannah's board
	MinTime   time.Duration `toml:"min_time"`   // for a game of forty moves
	MaxTime   time.Duration `toml:"max_time"`   // 0 for no limit
	NoClock   bool          `toml:"no_clock"`   // games without clocks
	Rated     bool          `toml:"rated"`
	Casual    bool          `toml:"casual"`
	Bots      bool          `toml:"bots"`
	Humans    bool          `toml:"humans"`
	MinRating uint64        `toml:"min_rating"`
	MaxRating uint64        `toml:"max_rating"` // 0 for no limit
	Allow     []string      `toml:"allow"`      // if not empty, only these
	Block     []string      `toml:"block"`
	Pause     time.Duration `toml:"pause"` // between two games with one player
}

// Challenge is the table [challenge]: the challenges that the bot sends.
type Challenge struct {
	Enabled   bool          `toml:"enabled"`
	Opponents []string      `toml:"opponents"` // challenged in turn; none is an open challenge
	Options   string        `toml:"options"`   // JSON
	Main      time.Duration `toml:"main"`
	Increment time.Duration `toml:"increment"`
	PerMove   time.Duration `toml:"per_move"`
	Rated     bool          `toml:"rated"`
	Seat      string        `toml:"seat"`
	AtOnce    uint64        `toml:"at_once"`
	Games     uint64        `toml:"games"` // games in all, 0 for no end
	Tag       string        `toml:"tag"`   // before the number of the game
	Pause     time.Duration `toml:"pause"` // after a refusal, doubled with each
	MaxPause  time.Duration `toml:"max_pause"`
	Expire    time.Duration `toml:"expire"` // how long a challenge waits for an answer
}

// Conduct is the table [conduct]: the bot's behaviour in a game.
type Conduct struct {
	Draws       string        `toml:"draws"`
	Takebacks   bool          `toml:"takebacks"`
	ResignBelow float64       `toml:"resign_below"`
	ResignAfter uint64        `toml:"resign_after"` // moves in a row
	AbortAfter  time.Duration `toml:"abort_after"`
	Greeting    string        `toml:"greeting"`
	Farewell    string        `toml:"farewell"`
	Chat        bool          `toml:"chat"`
	Tell        bool          `toml:"tell"` // spectators the ratings of its moves
	FinishGames bool          `toml:"finish_games"`
}

// Files is the table [files].
type Files struct {
	Records string `toml:"records"` // a folder
}

// DefaultBoardBot returns the default settings.
func DefaultBoardBot() BoardBot {
	return BoardBot{
		Engine: Engine{Rules: "havannah", Kind: "best", Playouts: 256, Device: "auto",
			Grace: 5 * time.Second, Restarts: 2},
		Time: Time{Overhead: 100 * time.Millisecond},
		Accept: Accept{
			Enabled: true, Games: 4, PerPlayer: 2, MinTime: 20 * time.Second, MaxTime: time.Hour,
			Rated: true, Casual: true, Bots: true, Humans: true, Pause: time.Second,
		},
		Challenge: Challenge{Main: 5 * time.Minute, Increment: 2 * time.Second, Seat: "random", AtOnce: 1,
			Pause: 10 * time.Second, MaxPause: 10 * time.Minute, Expire: 30 * time.Second},
		Conduct: Conduct{Draws: "engine", ResignAfter: 3, AbortAfter: time.Minute, Chat: true, FinishGames: true},
		Log:     Log{Level: "info"},
	}
}

var (
	drawPolicies = []string{"engine", "never", "always"}
	seatChoices  = []string{"first", "second", "random"}
)

// Validate returns an [Error] if a value is invalid. It does not know the kinds of engines.
func (b *BoardBot) Validate() error {
	switch a := b.Account; {
	case a.Token != "" && a.TokenFile != "":
		return &Error{Key: "account.token", Msg: "and account.token_file are two tokens"}
	case b.Engine.Kind == "gtp" && len(b.Engine.Command) == 0:
		return &Error{Key: "engine.command", Msg: "is needed for kind \"gtp\""}
	case b.Engine.Kind != "gtp" && len(b.Engine.Command) > 0:
		return &Error{Key: "engine.command", Msg: fmt.Sprintf("is for kind \"gtp\", not %q", b.Engine.Kind)}
	case b.Engine.Threads > MaxThreads:
		return tooManyThreads("engine.threads", b.Engine.Threads)
	case b.Accept.Games == 0:
		return &Error{Key: "accept.games", Msg: "is 0: the bot would never play"}
	case b.Challenge.Enabled && b.Challenge.AtOnce == 0:
		return &Error{Key: "challenge.at_once", Msg: "is 0: the bot would never challenge"}
	case b.Challenge.Enabled && b.Challenge.Games > 0 && b.Challenge.Tag == "":
		return &Error{Key: "challenge.tag",
			Msg: "is needed where challenge.games counts, so that no game is played twice"}
	case len(b.Challenge.Tag) > 40:
		return &Error{Key: "challenge.tag", Msg: "is longer than 40 letters"}
	case b.Challenge.Options != "" && !json.Valid([]byte(b.Challenge.Options)):
		return &Error{Key: "challenge.options", Msg: "is not JSON"}
	case !slices.Contains(seatChoices, b.Challenge.Seat):
		return NotOneOf("challenge.seat", b.Challenge.Seat, seatChoices)
	case !slices.Contains(drawPolicies, b.Conduct.Draws):
		return NotOneOf("conduct.draws", b.Conduct.Draws, drawPolicies)
	case !(b.Conduct.ResignBelow >= 0 && b.Conduct.ResignBelow <= 1):
		return &Error{Key: "conduct.resign_below",
			Msg: fmt.Sprintf("%v is not a value from 0 to 1", b.Conduct.ResignBelow)}
	case !slices.Contains(logLevels, b.Log.Level):
		return NotOneOf("log.level", b.Log.Level, logLevels)
	}
	return nil
}
