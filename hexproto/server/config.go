package server

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
)

// Config configures a server.
type Config struct {
	Database  string        // path of the SQLite file, which is created if there is none
	MustExist bool          // there has to be one
	Sync      database.Sync // what its commits wait for; database.SyncFull if empty
	Rules     []game.Rules
	Bots      []engines.Bot
	Page      http.Handler // for all paths that the server does not use; may be nil
	Version   string       // version of the program, as clients see it

	// Open admits everyone who gives a name. It is for loopback only.
	Open bool
	// Loopback is set if the server listens on loopback only. It then refuses
	// requests that name another host, so that no web page can reach it under a
	// host name of its own.
	Loopback bool
	// PublicURL is the address of the server behind a proxy with TLS, or nil.
	// Requests name its host, or this machine if the proxy rewrites them, and web
	// pages of its origin may connect.
	PublicURL *url.URL
	// TrustedProxies are the proxies that may say from which address a request came,
	// if there is a PublicURL. By default they are on this machine.
	TrustedProxies []netip.Prefix
	// Strategies answers requests for /strategies/, one at a time, or is nil: what the
	// server's bots do, for the page.
	Strategies http.Handler
	// Spots answers requests for /spots/, or is nil. Others than that for the list come one at a time, with a context
	// that ends when other accounts have waited long enough.
	Spots http.Handler
	// BotMemory is how many bytes the engines of the server's bots may take in all, 0
	// for 1 GiB. It suffices for twice the Memory of engines.MaxThinking bots, or more.
	BotMemory int64
	// GameMemory is how many bytes the running games may take in all, 0 for 256 MiB. Those
	// whose players are away make room for others.
	GameMemory int64
	// MetricsReaders are the accounts that may read /metrics. On an open server everybody may.
	MetricsReaders []string

	Limits Limits
	Log    *slog.Logger // nil discards
}

// Limits bound what clients can use of a server. A limit of 0 has its default.
type Limits struct {
	Connections   int           // connections that have said hello
	Newcomers     int           // connections that have not; by default a quarter of Connections, at least 16
	PerAccount    int           // connections of one account
	PerAddress    int           // connections from one address, loopback and proxies excepted
	Accounts      int           // accounts that clients can make by giving a name
	Message       int           // bytes
	Rate          int           // messages a second of one connection, in the long run
	Burst         int           // messages at once
	Queue         int           // bytes that the connections of one account have not read
	QueueAll      int           // bytes that all connections have not read together
	Games         int           // running games of one account
	BotGames      int           // running games of one account with bots of the server
	RatedGames    int           // rated games that two accounts begin with each other in a day
	Aborts        int           // games that an account aborts in a day, after which it begins no rated one
	Clockless     int           // running games of one account without clocks
	SlowGames     int           // running games of one account with days for a move
	Memory        int           // bytes that the games of one account take, with those that ended a moment ago
	Stored        int           // bytes that one account has stored in an hour, and as many at once
	Sent          int           // bytes a second of long answers to one account, and that others are sent of it
	Challenges    int           // open challenges of one account
	Idle          time.Duration // a silent connection is closed
	Hello         time.Duration // until the first message
	FirstMove     time.Duration // time for each player's first move, in a game with clocks
	BackAfter     time.Duration // how long clocks stand after a restart, at most
	Abandoned     time.Duration // a game without clocks ends this long after its last move
	BotAbandoned  time.Duration // the same against a bot of the server, if the player is not connected
	ChallengeLife time.Duration // how long one stays whose maker is disconnected; with days for a move, Abandoned
	PrivateLife   time.Duration // how long a private one stays after that
	Watched       int           // games that one connection watches
}

// withDefaults sets the limits that are 0.
func (l Limits) withDefaults() Limits {
	set(&l.Connections, 10000)
	set(&l.Newcomers, max(16, l.Connections/4))
	set(&l.PerAccount, 16)
	set(&l.PerAddress, 64)
	set(&l.Accounts, 100000)
	set(&l.Message, 16<<10)
	set(&l.Rate, 50)
	set(&l.Burst, 200)
	set(&l.Queue, 4<<20)
	set(&l.QueueAll, 256<<20)
	set(&l.Games, 512)
	set(&l.BotGames, 4)
	set(&l.RatedGames, 20)
	set(&l.Aborts, 5)
	set(&l.Clockless, 16)
	set(&l.SlowGames, 64)
	set(&l.Memory, 12<<20)
	set(&l.Stored, 750_000)
	set(&l.Sent, 256<<10)
	set(&l.Challenges, 64)
	set(&l.Idle, time.Minute)
	set(&l.Hello, 10*time.Second)
	set(&l.FirstMove, time.Minute)
	set(&l.BackAfter, time.Minute)
	set(&l.Abandoned, 14*24*time.Hour)
	set(&l.BotAbandoned, 24*time.Hour)
	set(&l.ChallengeLife, 10*time.Second)
	set(&l.PrivateLife, time.Hour)
	set(&l.Watched, 256)
	return l
}

func set[T int | time.Duration](limit *T, value T) {
	if *limit == 0 {
		*limit = value
	}
}
