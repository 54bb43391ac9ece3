package server

import (
	"log/slog"
	"net/http"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/game"
)

// BuiltinBot is a bot that the server plays itself.
type BuiltinBot struct {
	Name  string
	Rules []string // the names of the rules that it plays
	Bot   hexproto.Bot
}

// Config is what a server is made of. The zero value of a limit is its default.
type Config struct {
	Database string // path of the SQLite file; it is made where there is none
	Rules    []game.Rules
	Bots     []BuiltinBot
	Page     http.Handler // for all paths that the server has no use for; may be nil
	Arena    http.Handler // for the paths below /arena/, for who may see the records; may be nil
	Version  string       // of the program, told to clients

	// Open lets anybody in who gives a name. It is for loopback only.
	Open bool
	// AnyToken takes a token of no account for that of a new one, called "guest"
	// if it gives no name. It is for a server that is there for one program, whose
	// token may be another server's.
	AnyToken bool
	// Loopback is set where the server listens on loopback only; requests that
	// name another host are refused then, so that pages elsewhere cannot reach it
	// under a name of their own.
	Loopback bool
	// Metrics serves /metrics.
	Metrics bool

	Limits Limits
	Log    *slog.Logger // nil discards
}

// Limits are what the server bears.
type Limits struct {
	Connections   int // in all
	PerAccount    int // connections of one account
	PerAddress    int // connections from one address, loopback excepted
	Accounts      int // that can be made by giving a name
	Message       int // bytes of one
	Rate          int // messages a second of one connection, in the long run
	Burst         int // messages at once
	Queue         int // bytes that wait to be read by one connection
	Games         int // of one account at a time
	Challenges    int // of one account at a time
	Idle          time.Duration
	Hello         time.Duration // until the first message
	FirstMove     time.Duration // of each player, where there are clocks
	BackAfter     time.Duration // clocks stand still so long after a restart, at most
	ChallengeLife time.Duration // of a challenge whose maker is gone
	Watched       int           // games that one connection watches
}

// withDefaults fills the limits in that are 0.
func (l Limits) withDefaults() Limits {
	set(&l.Connections, 10000)
	set(&l.PerAccount, 16)
	set(&l.PerAddress, 64)
	set(&l.Accounts, 100000)
	set(&l.Message, 16<<10)
	set(&l.Rate, 50)
	set(&l.Burst, 200)
	set(&l.Queue, 8<<20)
	set(&l.Games, 512)
	set(&l.Challenges, 64)
	set(&l.Idle, time.Minute)
	set(&l.Hello, 10*time.Second)
	set(&l.FirstMove, time.Minute)
	set(&l.BackAfter, time.Minute)
	set(&l.ChallengeLife, 10*time.Second)
	set(&l.Watched, 256)
	return l
}

func set[T int | time.Duration](limit *T, value T) {
	if *limit == 0 {
		*limit = value
	}
}
