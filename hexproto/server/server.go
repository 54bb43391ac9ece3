package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
)

// Server is a server of board games.
type Server struct {
	Config
	*core
	about   []wire.Rules
	archive *archive
	lock    io.Closer // lock of the database

	background sync.WaitGroup

	cancel      context.CancelCauseFunc // ends the core's context
	connections *limit.Connections
	bans        atomic.Pointer[bans]
	journal     *journal
	analysing   *limit.Turns
	solving     *limit.Turns // bounds the solving of spots
	uploading   *limit.Turns // bounds the files that are read
	queues      queues
}

// core is shared by the parts of a server: the state that a lock guards, and what needs no lock or has its own.
type core struct {
	limits  Limits
	budgets budgets
	log     *slog.Logger
	store   *store
	count   *counters
	ctx     context.Context // ends with the server

	space   space
	guesses limit.Guesses // wrong tokens
	rules   map[string]game.Rules

	starting   *limit.Turns             // to start games with large options
	waking     *limit.Turns             // to read games that sleep
	memoryMost int                      // bytes that the games in memory may take that do not sleep
	turns      *engines.Queue[*account] // to think, by the account of the opponent
	memory     *engines.Memory          // memory for engines of the server's bots
	players    sync.WaitGroup           // goroutines of the server's bots

	state parallel.Guarded[state]
}

// state is what the lock guards. Only the lock hands it out: to who reads it, and as part of a transaction
// to an operation, which takes microseconds. Messages are sent in the order of the operations. Bots and
// analyses run without the lock.
type state struct {
	accounts accounts
	lobby    lobby
	games    games
	stopping bool
}

// locked runs an operation under the lock, and submits the transaction that it
// filled. It reports whether the operation returned: one that panics ends its game
// only.
func (c *core) locked(f func(*transaction)) (ok bool) {
	c.state.With(func(st *state) {
		tx := transaction{state: st}
		ok = c.attempt(&tx, f)
		tx.state = nil // the store has no lock
		c.budgets.sent.Charge(clock(), float64(tx.answered), tx.payers...)
		c.budgets.shown.Charge(clock(), float64(tx.shown), tx.payers...)
		if !tx.empty() {
			c.store.submit(tx)
		}
	})
	return ok
}

// InUseError is the error of a database that another server uses.
type InUseError struct{ Database string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("database %s: another server uses it", e.Database)
}

// New opens a server's database and resumes the games in it. It returns an
// *InUseError if another server has the database, an error that wraps [database.ErrMissing] if there
// has to be one, and a *engines.NameError if a bot cannot have its name. Serve or Handler follow, and
// in any case Close.
func New(cfg Config) (*Server, error) {
	missing, err := database.Missing(cfg.Database)
	if err == nil && missing && cfg.MustExist {
		err = fmt.Errorf("%s: %w", cfg.Database, database.ErrMissing)
	}
	if err != nil {
		return nil, err
	}
	lock, err := database.Lock(cfg.Database)
	if errors.Is(err, database.ErrInUse) {
		return nil, &InUseError{cfg.Database}
	}
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", cfg.Database, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	limits := cfg.Limits.withDefaults()
	c := &core{
		limits: limits, budgets: newBudgets(limits), log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)),
		count: newCounters(), ctx: ctx, rules: map[string]game.Rules{},
		starting: limit.NewTurns(1), waking: limit.NewTurns(archiveReaders),
		turns: engines.NewQueue[*account](engines.MaxThinking()), memoryMost: int(cmp.Or(cfg.GameMemory, 256<<20)),
	}
	c.memory = engines.NewMemory(cmp.Or(cfg.BotMemory, 1<<30),
		func(err error) { c.log.Warn("closing a bot's engine", "error", err) })
	for _, r := range cfg.Rules {
		c.rules[r.About().Name] = r
	}
	c.state.With(func(st *state) {
		st.accounts = accounts{core: c, byName: map[string]*account{}, byToken: map[[32]byte]*account{}}
		st.games = games{core: c, tables: map[string]*table{}, tags: map[tagKey]string{}}
		st.lobby = lobby{
			core: c, accounts: &st.accounts, games: &st.games, conns: map[*conn]bool{},
			challenges: map[string]*challenge{}, listing: listing{readers: map[*conn]*lobbyReader{}},
		}
	})
	stop := func(err error) {
		c.log.Error("the server stops", "error", err)
		cancel(err)
	}
	sync := cmp.Or(cfg.Sync, database.SyncFull)
	c.store, err = openStore(cfg.Database, sync, c.budgets.stored, c.log, stop, c.refused)
	if err != nil {
		cancel(err)
		return nil, errors.Join(err, lock.Close())
	}
	if missing {
		c.log.Warn("made a new database, which has no accounts", "database", cfg.Database)
	}
	s := &Server{
		Config: cfg, core: c, lock: lock, cancel: cancel, journal: newJournal(c.log),
		analysing: limit.NewTurns(1), solving: limit.NewTurns(1), uploading: limit.NewTurns(2),
		queues: queues{conns: parallel.Guard(map[*conn]bool{})}, archive: newArchive(c),
	}
	s.connections = limit.NewConnections(limit.Bounds{
		SignedIn: c.limits.Connections, Newcomers: c.limits.Newcomers, PerClient: c.limits.PerAddress,
	}, s.sharedAddress)
	_, tokens, err := database.TokenChanges(ctx, c.store.db, 0)
	if err == nil {
		err = s.readBans()
	}
	if err == nil {
		err = s.load()
	}
	if err != nil {
		cancel(err)
		return nil, errors.Join(err, c.store.close(), lock.Close())
	}
	s.background.Go(func() { s.followHost(tokens) })
	s.background.Go(func() { s.journal.run(ctx) })
	s.background.Go(c.endAbandoned)
	s.space.enough = freeMemory() / reservedPart
	s.lookAtSpace()
	s.background.Go(s.watchSpace)
	return s, nil
}

// load reads accounts and running games.
func (s *Server) load() error {
	if err := s.readAccounts(""); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	var err error
	s.state.With(func(st *state) { s.Bots, err = st.accounts.load(s.Bots) })
	if err != nil {
		return err
	}
	for _, r := range s.Rules {
		s.about = append(s.about, describe(r, s.Bots))
	}
	n, err := s.loadGames()
	if n > 0 {
		s.log.Info("resumed", "games", n)
	}
	return err
}

// describe returns the rules as a welcome lists them.
func describe(r game.Rules, bots []engines.Bot) wire.Rules {
	about := r.About()
	if analyst, ok := r.(game.Analyst); ok {
		about.Analyse, about.Methods = true, analyst.Methods()
	}
	if _, about.Hidden = r.(game.Dealer); about.Rated == nil && !about.Hidden {
		about.Rated = append(about.Rated, []byte("{}"))
	}
	about.Options, about.Bots = append([]wire.Option{}, about.Options...), []string{} // never null
	for _, b := range bots {
		if slices.Contains(b.Rules, about.Name) {
			about.Bots = append(about.Bots, b.Name)
			about.AboutBots = append(about.AboutBots,
				wire.AboutBot{Name: b.Name, About: b.About, Rating: b.Ratings[about.Name]})
		}
	}
	return about
}

// ErrOpen is the error of a server without tokens that would listen beyond
// loopback.
var ErrOpen = errors.New("a server that lets anybody in listens on loopback only")

// Serve serves until the context ends, tells all clients that it is going down,
// and returns. Games go on when a server is started on the same database. Serve
// uses TLS if the files are named, and reads them again when they change.
func (s *Server) Serve(ctx context.Context, l net.Listener, certFile, keyFile string) error {
	if addr, ok := l.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() && s.Open {
		return ErrOpen
	}
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, // until the first byte
		IdleTimeout:  2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	if certFile != "" {
		files, err := openCertificate(certFile, keyFile, func(err error) {
			if err != nil {
				s.log.Error("the changed certificate is of no use; the one before it stays", "error", err)
			} else {
				s.log.Info("read the changed certificate", "file", certFile)
			}
		})
		if err != nil {
			return err
		}
		h.TLSConfig = &tls.Config{GetCertificate: files.get}
	}
	limited := limit.Listen(l, s.limits.Connections+s.limits.Newcomers+plainConnections, 2*s.limits.PerAddress,
		s.sharedAddress)
	limited.Serve(h)
	l = limited
	ended := make(chan error, 1)
	go func() {
		if h.TLSConfig != nil {
			ended <- h.ServeTLS(l, "", "")
		} else {
			ended <- h.Serve(l)
		}
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	case <-s.ctx.Done():
		err = context.Cause(s.ctx)
	}
	s.announceRestart()
	stop, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if h.Shutdown(stop) != nil { // downloads that take longer are cut off
		h.Close()
	}
	return err
}

// plainConnections is how many connections may be open that are not websockets.
const plainConnections = 1000

// restartRetry is when clients may try again after a graceful end.
const restartRetry = 250 * time.Millisecond

// announceRestart notifies all clients that the server is going down, and closes
// their connections.
func (s *Server) announceRestart() {
	var conns []*conn
	s.locked(func(tx *transaction) {
		tx.stopping = true
		for c := range tx.lobby.conns {
			conns = append(conns, c)
			tx.send(c, 0, &wire.Restart{Retry: restartRetry.Milliseconds()})
		}
		tx.after = append(tx.after, func() {
			for _, c := range conns {
				c.finish(websocket.CloseServiceRestart, "restart")
			}
		})
	})
}

// Close ends everything and closes the database.
func (s *Server) Close() error {
	s.announceRestart()
	s.cancel(context.Canceled)
	s.players.Wait()
	s.background.Wait()
	return errors.Join(s.store.close(), s.lock.Close())
}

// HasAccount reports whether there is an account of a name.
func (c *core) HasAccount(ctx context.Context, name string) (has bool, err error) {
	err = c.store.db.QueryRowContext(ctx, `SELECT count(*) > 0 FROM accounts WHERE name = ?`, name).Scan(&has)
	return has, err
}
