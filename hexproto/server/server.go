package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// Server is a server of board games. One lock guards all of its state: what is
// done under it takes microseconds, and is told in the order in which it was
// done. Engines and analyses run without it.
type Server struct {
	Config
	log    *slog.Logger
	limits Limits
	store  *store
	lock   *lock
	count  *counters
	rules  map[string]game.Rules
	about  []wire.Rules

	mu         sync.Mutex
	accounts   map[string]*account // by key
	tokens     map[[32]byte]*account
	conns      map[*conn]bool // that have said hello
	open       int            // connections, also those before their hello
	addresses  map[string]int // connections by address
	challenges map[string]*challenge
	tables     map[string]*table // running, and over a short time ago
	tags       map[tagKey]string // of running games
	lastRow    int64
	lobbySoon  bool
	stopping   bool

	drivers   sync.WaitGroup // drivers of the server's bots
	ctx       context.Context
	cancelAll context.CancelCauseFunc
	thinking  chan struct{} // places for engines
	analysing chan struct{} // and for analyses
}

type tagKey struct {
	by  *account
	tag string
}

// New opens a server's database, which no other server may have, and resumes the
// games in it. Serve or Handler
// follow, and in any case Close.
func New(cfg Config) (*Server, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	s := &Server{
		Config: cfg, log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)), limits: cfg.Limits.withDefaults(), rules: map[string]game.Rules{}, count: newCounters(),
		accounts: map[string]*account{}, tokens: map[[32]byte]*account{}, conns: map[*conn]bool{}, addresses: map[string]int{},
		challenges: map[string]*challenge{}, tables: map[string]*table{}, tags: map[tagKey]string{},
		ctx: ctx, cancelAll: cancel, thinking: make(chan struct{}, enginesAtOnce), analysing: make(chan struct{}, 1),
	}
	s.describe()
	var err error
	if s.lock, err = lockDatabase(cfg.Database); err != nil {
		return nil, err
	}
	st, err := openStore(cfg.Database, func(err error) {
		s.log.Error("the server stops", "error", err)
		cancel(err)
	})
	if err != nil {
		return nil, errors.Join(err, s.lock.free())
	}
	s.store = st
	if err := s.load(); err != nil {
		cancel(err)
		return nil, errors.Join(err, st.close(), s.lock.free())
	}
	return s, nil
}

// describe lists the rules for welcomes.
func (s *Server) describe() {
	for _, r := range s.Config.Rules {
		about := r.About()
		_, about.Analyse = r.(game.Analyst)
		about.Bots = []string{}
		for _, h := range s.Bots {
			for _, name := range h.Rules {
				if name == about.Name {
					about.Bots = append(about.Bots, h.Name)
				}
			}
		}
		s.rules[about.Name] = r
		s.about = append(s.about, about)
	}
}

// ErrOpen is that of a server that lets anybody in from anywhere.
var ErrOpen = errors.New("a server that lets anybody in listens on loopback only")

// Serve serves until the context ends, tells all clients that it is going down,
// and returns. Games go on when a server is started on the same database. TLS
// is used if the files are named.
func (s *Server) Serve(ctx context.Context, l net.Listener, certFile, keyFile string) error {
	if addr, ok := l.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() && s.Open {
		return ErrOpen
	}
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: nil,
	}
	ended := make(chan error, 1)
	go func() {
		if certFile != "" {
			ended <- h.ServeTLS(l, certFile, keyFile)
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
	s.sayRestart()
	stop, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if h.Shutdown(stop) != nil { // downloads that take longer are cut off
		h.Close()
	}
	return err
}

// restartAfter is when clients may try again after a graceful end.
const restartAfter = 250 * time.Millisecond

// sayRestart tells all clients that the server goes down, and closes them.
func (s *Server) sayRestart() {
	var conns []*conn
	s.locked(func(st *step) {
		s.stopping = true
		for c := range s.conns {
			conns = append(conns, c)
			s.tell(st, c, 0, &wire.Restart{Retry: restartAfter.Milliseconds()})
		}
		st.after = append(st.after, func() {
			for _, c := range conns {
				c.finish(websocket.CloseServiceRestart, "restart")
			}
		})
	})
}

// Close ends everything and closes the database.
func (s *Server) Close() error {
	s.sayRestart()
	s.cancelAll(context.Canceled)
	s.drivers.Wait()
	return errors.Join(s.store.close(), s.lock.free())
}

// Handler serves everything that there is, as docs/hexproto.md says.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", s.websocket)
	mux.HandleFunc("GET /records/", s.private(s.listRecords))
	mux.HandleFunc("GET /records/{file}", s.private(s.record))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	if s.Arena != nil {
		mux.HandleFunc("/arena/", s.private(s.Arena.ServeHTTP))
	} else { // so that the page need not ask for what is not there
		mux.HandleFunc("GET /arena/runs", s.private(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintln(w, `{"runs":null}`)
		}))
	}
	if s.Config.Metrics {
		mux.HandleFunc("GET /metrics", s.private(s.metrics().ServeHTTP))
	}
	if s.Page != nil {
		mux.Handle("/", s.Page)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Loopback && !isLoopback(r.Host) {
			http.Error(w, "this server is for this machine only", http.StatusForbidden)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	})
}

// isLoopback says whether a host of a request is this machine.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// private wants a token for a page, unless anybody is let in.
func (s *Server) private(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.Open && s.bearer(r) == nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a token is needed", http.StatusUnauthorized)
			return
		}
		h(w, r)
	}
}

// bearer returns the account whose token a request has, or nil.
func (s *Server) bearer(r *http.Request) *account {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || token == "" {
		return nil
	}
	return s.accountOf(r.Context(), token)
}

// Account returns the name of the account whose token a request has, or "".
func (s *Server) Account(r *http.Request) string {
	if a := s.bearer(r); a != nil {
		return a.name
	}
	return ""
}

// HasAccount says whether there is an account of a name.
func (s *Server) HasAccount(ctx context.Context, name string) (bool, error) {
	var n int
	err := s.store.db.QueryRowContext(ctx, `SELECT count(*) FROM accounts WHERE name = ? COLLATE NOCASE`, name).Scan(&n)
	return n > 0, err
}

// websocket makes a connection of a request.
func (s *Server) websocket(w http.ResponseWriter, r *http.Request) {
	address := addressOf(r.RemoteAddr)
	local := isLoopback(address)
	s.mu.Lock()
	stopping := s.stopping
	full := stopping || s.open >= s.limits.Connections || !local && s.addresses[address] >= s.limits.PerAddress
	if !full {
		s.open++
		s.addresses[address]++
	}
	s.mu.Unlock()
	if stopping { // without Retry-After, whose shortest time is a second: a restart may be over sooner
		http.Error(w, "the server goes down", http.StatusServiceUnavailable)
		return
	}
	if full {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	gone := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		if s.addresses[address]--; s.addresses[address] == 0 {
			delete(s.addresses, address)
		}
	}
	ws, err := upgrader.Upgrade(w, r, nil) // and refuses other origins
	if err != nil {
		gone()
		return
	}
	c := &conn{s: s, ws: ws, address: address, watches: map[*table]bool{}, wake: make(chan struct{}, 1)}
	go c.writeAll()
	go func() {
		defer gone()
		c.readAll()
		s.left(c)
	}()
}

// locked does something under the lock, and then tells and writes what came of
// it.
func (s *Server) locked(f func(*step)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var st step
	f(&st)
	if len(st.writes)+len(st.out)+len(st.after) > 0 {
		s.store.do(st)
	}
}

// tell, tellAll and tellTable add messages to a step.
func (s *Server) tell(st *step, c *conn, id uint64, m wire.Message) {
	st.out = append(st.out, delivery{c, encode(id, m)})
}

func (s *Server) tellAll(st *step, a *account, m wire.Message) {
	if len(a.conns) == 0 {
		return
	}
	frame := encode(0, m)
	for c := range a.conns {
		st.out = append(st.out, delivery{c, frame})
	}
}

// audience are the connections that follow a game.
func (t *table) audience(yield func(*conn) bool) {
	for _, a := range t.seats {
		for c := range a.conns {
			if !yield(c) {
				return
			}
		}
	}
	for c := range t.watchers {
		if t.seat(c.account) < 0 && !yield(c) {
			return
		}
	}
}

func (s *Server) tellTable(st *step, t *table, m wire.Message) {
	frame := encode(0, m)
	for c := range t.audience {
		st.out = append(st.out, delivery{c, frame})
	}
}

// load reads accounts and running games.
func (s *Server) load() error {
	rows, err := s.store.db.Query(`SELECT name, token, bot, rating, games FROM accounts`)
	if err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var token []byte
		var bot bool
		var rating float64
		var games int
		if err := rows.Scan(&name, &token, &bot, &rating, &games); err != nil {
			return fmt.Errorf("accounts: %w", err)
		}
		a := newAccount(name, bot, rating, games)
		s.accounts[key(name)] = a
		if len(token) == 32 {
			s.tokens[[32]byte(token)] = a
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	if err := s.addBuiltinBots(); err != nil {
		return err
	}
	if err := s.store.db.QueryRow(`SELECT ifnull(max(row), 0) FROM games`).Scan(&s.lastRow); err != nil {
		return fmt.Errorf("games: %w", err)
	}
	tables, err := s.readTables(`WHERE result IS NULL ORDER BY row`)
	if err != nil {
		return err
	}
	s.locked(func(st *step) {
		for _, t := range tables {
			s.resume(st, t)
		}
	})
	if len(tables) > 0 {
		s.log.Info("resumed", "games", len(tables))
	}
	return nil
}

// resume puts a game that was read on its table.
func (s *Server) resume(st *step, t *table) {
	s.seatAll(t)
	if t.tag != "" {
		s.tags[tagKey{t.maker, t.tag}] = t.id
	}
	if end := t.game.Result(); end != nil { // the last move was written, its end was not
		s.end(st, t, *end)
		return
	}
	t.resumed = true
	s.startClocks(t)
	s.drive(st, t)
	time.AfterFunc(s.limits.BackAfter, func() {
		s.locked(func(*step) {
			t.resumed = false
			s.startClocks(t)
		})
	})
}

// seatAll gives a table its place.
func (s *Server) seatAll(t *table) {
	s.tables[t.id] = t
	for _, a := range t.seats {
		a.tables[t] = true
	}
}

// readTables reads games of the database with a clause of SQL. They are not
// seated.
func (s *Server) readTables(clause string, args ...any) ([]*table, error) {
	rows, err := s.store.db.Query(`SELECT row, id, maker, tag, rules, options, first, second, main, increment, per_move, rated, started, result, rating0, rating1 FROM games `+clause, args...)
	if err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	defer rows.Close()
	var tables []*table
	for rows.Next() {
		t := &table{watchers: map[*conn]bool{}}
		var maker, options string
		var names [2]string
		var clock wire.Clock
		var result *string
		if err := rows.Scan(&t.row, &t.id, &maker, &t.tag, &t.name, &options, &names[0], &names[1],
			&clock.Main, &clock.Increment, &clock.PerMove, &t.rated, &t.started, &result, &t.after[0], &t.after[1]); err != nil {
			return nil, fmt.Errorf("games: %w", err)
		}
		t.rules = s.rules[t.name]
		t.maker = s.known(maker)
		t.seats = [2]*account{s.known(names[0]), s.known(names[1])}
		if t.rules == nil {
			s.log.Warn("a game of rules that there are not", "game", t.id, "rules", t.name)
			continue
		}
		if t.game, err = t.rules.New(json.RawMessage(options)); err != nil {
			return nil, fmt.Errorf("game %s: %w", t.id, err)
		}
		if result != nil {
			t.result = &wire.Result{}
			if err := json.Unmarshal([]byte(*result), t.result); err != nil {
				return nil, fmt.Errorf("game %s: %w", t.id, err)
			}
		}
		t.clocks = newClocks(clock)
		tables = append(tables, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	for _, t := range tables {
		if err := s.readMoves(t); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// known returns the account of a name. One that was deleted by hand is made up.
func (s *Server) known(name string) *account {
	if a := s.accounts[key(name)]; a != nil {
		return a
	}
	return newAccount(name, false, firstRating, 0)
}

func (s *Server) readMoves(t *table) error {
	rows, err := s.store.db.Query(`SELECT turn, seat, move, ms FROM moves WHERE game = ? ORDER BY turn, seat`, t.row)
	if err != nil {
		return fmt.Errorf("game %s: %w", t.id, err)
	}
	defer rows.Close()
	var moves []wire.Move
	for rows.Next() {
		var m wire.Move
		if err := rows.Scan(&m.Turn, &m.Seat, &m.Move, &m.Ms); err != nil {
			return fmt.Errorf("game %s: %w", t.id, err)
		}
		moves = append(moves, m)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("game %s: %w", t.id, err)
	}
	result := t.result
	t.result = nil // toMove looks at it
	err = t.replay(moves)
	t.result = result
	if err != nil {
		return err
	}
	chat, err := s.store.db.Query(`SELECT sender, text, at FROM chat WHERE game = ? ORDER BY at DESC LIMIT ?`, t.row, keptLines)
	if err != nil {
		return fmt.Errorf("game %s: %w", t.id, err)
	}
	defer chat.Close()
	for chat.Next() {
		var line wire.Line
		if err := chat.Scan(&line.From, &line.Text, &line.At); err != nil {
			return fmt.Errorf("game %s: %w", t.id, err)
		}
		t.said = append([]wire.Line{line}, t.said...)
	}
	return chat.Err()
}
