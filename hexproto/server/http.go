package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// Handler serves the page, the websocket, and the other paths that
// docs/hexproto.md lists.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", s.websocket)
	mux.HandleFunc("GET /records/", s.metered(s.listRecords))
	mux.HandleFunc("GET /records/{file}", s.metered(s.record))
	mux.HandleFunc("GET /records/summary", s.metered(s.summary))
	for _, format := range []string{"txt", "hgf", "jsonl"} {
		mux.HandleFunc("GET /records/games."+format,
			s.metered(func(w http.ResponseWriter, r *http.Request) { s.download(w, r, format) }))
	}
	mux.HandleFunc("GET /players/{name}", s.metered(s.profile))
	mux.HandleFunc("GET /invitations/{id}", s.invitation)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	if s.Strategies != nil {
		mux.HandleFunc("GET /strategies/", s.private(func(w http.ResponseWriter, r *http.Request) {
			rules, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/strategies/"), "/")
			if s.inGuarded(s.caller(r), rules) {
				http.Error(w, noHelp, http.StatusForbidden)
				return
			}
			s.inTurn(s.analysing, r, func() { s.Strategies.ServeHTTP(w, r) })
		}))
	}
	if s.Spots != nil {
		mux.HandleFunc("GET /spots/", s.metered(s.ownPages(s.solveSpot)))
		mux.HandleFunc("POST "+openSpot, s.metered(s.ownPages(s.takeSpot)))
	}
	mux.HandleFunc("GET /metrics", s.reserved(s.MetricsReaders, s.metrics))
	if s.Page != nil {
		mux.Handle("/", s.Page)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if fault := recover(); fault != nil && fault != http.ErrAbortHandler {
				s.failed(nil, fault)
				http.Error(w, reasonFailed, http.StatusInternalServerError)
			}
		}()
		if !s.serves(r.Host) {
			http.Error(w, "this server is not for that host name", http.StatusForbidden)
			return
		}
		if ban, ok := s.banned(nil, s.client(r), false); ok {
			s.turnAway(w, r, nil, ban)
			return
		}
		// Nobody waits for a body that may never end.
		if r.ContentLength != 0 && (r.Method != http.MethodPost || r.URL.Path != openSpot) {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now())
			w.Header().Set("Connection", "close")
			http.Error(w, "a request has no body", http.StatusRequestEntityTooLarge)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		if r.TLS != nil && !isLoopback(r.Host) { // browsers would ask for TLS from every other program on this machine
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		if r.URL.Path != "/ws" { // a websocket takes the connection over
			w = limit.Response(w)
		}
		mux.ServeHTTP(w, r)
	})
}

// A spot is solved for spotTime, or for quietTime as long as nobody else waits for one. An account may have the server
// solve for mostSolving at once, and half of the time after that.
var spotTime = 10 * time.Second // shorter in tests

const (
	quietTime   = 3 * time.Minute
	mostSolving = 20 * time.Minute
)

// openSpot is where the file of a solved spot is sent: of all requests only this one has a body.
const openSpot = "/spots/open"

// mostUpload is the most bytes of such a file.
const mostUpload = 16 << 20

// takeSpot reads the file of a solved spot, which is charged as what is read, and hands it on.
func (s *Server) takeSpot(w http.ResponseWriter, r *http.Request) {
	s.inTurn(s.uploading, r, func() {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(30 * time.Second))
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostUpload))
		_, payers := s.payersOf(r)
		s.budgets.read.Charge(clock(), float64(len(data)), payers...)
		if err != nil {
			http.Error(w, "a file has at most 16 MiB, and half a minute to come", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(data))
		s.solveSpot(w, r)
	})
}

// solveSpot hands a request for spots on, with a deadline that is the sooner the more accounts wait for theirs.
func (s *Server) solveSpot(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/spots/" {
		s.Spots.ServeHTTP(w, r)
		return
	}
	for name, rules := range s.rules {
		if _, hidden := rules.(game.Dealer); hidden && s.inGuarded(s.caller(r), name) {
			http.Error(w, noHelp, http.StatusForbidden)
			return
		}
	}
	a, payers := s.payersOf(r)
	if wait := s.budgets.solved.Wait(clock(), 0, payers...); wait > 0 {
		s.tooMany(w, r, a, later(wait, refusal(wire.TooFast, "",
			"the server has solved spots for you for %v: it goes on for you after a pause", mostSolving)))
		return
	}
	s.inTurn(s.solving, r, func() {
		begun := clock()
		defer func() { s.budgets.solved.Charge(clock(), clock().Sub(begun).Seconds(), payers...) }()
		ctx, cancel := context.WithTimeout(r.Context(), quietTime)
		defer cancel()
		go func() {
			for ; ctx.Err() == nil; time.Sleep(spotTime / 100) {
				if n := s.solving.Clients(); n > 1 && clock().Sub(begun) > spotTime/time.Duration(n) {
					cancel()
				}
			}
		}()
		s.Spots.ServeHTTP(w, r.WithContext(ctx))
	})
}

// inTurn calls a function in a turn of the client of a request, or not at all if the client leaves before.
func (s *Server) inTurn(turns *limit.Turns, r *http.Request, f func()) {
	done, err := turns.Take(r.Context(), s.caller(r))
	if err != nil {
		return
	}
	defer done()
	f()
}

// serves reports whether the server answers requests to a host.
func (s *Server) serves(host string) bool {
	if s.PublicURL == nil {
		return !s.Loopback || isLoopback(host)
	}
	name := hostname(host)
	// No web page can have a host name that is an address of this server.
	return strings.EqualFold(name, s.PublicURL.Hostname()) || name == "localhost" || net.ParseIP(name) != nil
}

// ownPages keeps pages of other servers from a handler that works for long: in a browser they could ask for its user,
// as for a picture.
func (s *Server) ownPages(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.sameOrigin(r) {
			http.Error(w, "a page of another server", http.StatusForbidden)
			return
		}
		h(w, r)
	}
}

// sameOrigin reports whether a request comes from a program, or from a page of this server.
func (s *Server) sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" { // not all requests of browsers have it
		return r.Header.Get("Sec-Fetch-Site") != "cross-site"
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if s.PublicURL != nil && strings.EqualFold(u.Host, s.PublicURL.Host) {
		return u.Scheme == s.PublicURL.Scheme
	}
	return strings.EqualFold(u.Host, r.Host)
}

// client returns a request's client, for limits.
func (s *Server) client(r *http.Request) string {
	if s.PublicURL == nil {
		return limit.Client(r.RemoteAddr)
	}
	return limit.Client(limit.Forwarded(r, s.trustedProxies()))
}

func (s *Server) trustedProxies() []netip.Prefix {
	if s.TrustedProxies == nil {
		return limit.Loopback
	}
	return s.TrustedProxies
}

// sharedAddress reports whether many clients come from an address: through a proxy,
// or because they are programs of this machine.
func (s *Server) sharedAddress(client string) bool {
	address, err := netip.ParseAddr(client)
	proxy := func(p netip.Prefix) bool { return p.Contains(address) }
	return err == nil && (address.IsLoopback() || s.PublicURL != nil && slices.ContainsFunc(s.trustedProxies(), proxy))
}

// hostname returns a host without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// isLoopback reports whether a request's host is this machine.
func isLoopback(host string) bool {
	host = hostname(host)
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// callerKey is the key of the account that sends a request in the request's context.
type callerKey struct{}

// private finds out which account sends a request, and requires one unless the server is open.
func (s *Server) private(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, refused := s.bearer(r)
		ban, banned := s.banned(a, s.client(r), false)
		switch {
		case banned:
			s.turnAway(w, r, a, ban)
		case a != nil:
			h(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, a)))
		case refused != nil && refused.Code != wire.TooFast:
			http.Error(w, refused.Text, http.StatusInternalServerError)
		case s.Open:
			h(w, r)
		case refused != nil:
			s.tooMany(w, r, nil, refused)
		default:
			s.noteRequest(r, nil, wire.BadToken)
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a token is needed", http.StatusUnauthorized)
		}
	}
}

// tooMany answers a request of an account, which may be nil, that comes too early.
func (s *Server) tooMany(w http.ResponseWriter, r *http.Request, a *account, refused *wire.Error) {
	s.noteRequest(r, a, wire.TooFast)
	w.Header().Set("Retry-After", strconv.FormatInt(refused.Retry/1000+1, 10))
	http.Error(w, refused.Text, http.StatusTooManyRequests)
}

// reserved is private, and on a server that is not open for the named accounts only.
func (s *Server) reserved(names []string, h http.HandlerFunc) http.HandlerFunc {
	return s.private(func(w http.ResponseWriter, r *http.Request) {
		caller, ok := r.Context().Value(callerKey{}).(*account)
		isCaller := func(name string) bool { return ok && key(name) == key(caller.name) }
		if !s.Open && !slices.ContainsFunc(names, isCaller) {
			http.Error(w, "this is for accounts that the host has named", http.StatusForbidden)
			return
		}
		h(w, r)
	})
}

// bearer returns the account of a request's token, or nil, and a refusal as withToken does.
func (s *Server) bearer(r *http.Request) (a *account, refused *wire.Error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || token == "" {
		return nil, nil
	}
	return s.withToken(r.Context(), s.client(r), token)
}

// websocket upgrades a request to a connection.
func (s *Server) websocket(w http.ResponseWriter, r *http.Request) {
	if parallel.Get(&s.state, func(st *state) bool { return st.stopping }) {
		// without Retry-After, whose unit is a second: a restart may be over sooner
		http.Error(w, "the server is going down", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	c := &conn{
		s: s, ctx: ctx, address: s.client(r), agent: cleanText(r.UserAgent()), since: clock().UTC(),
		watches: map[tableRef]bool{},
		wake:    make(chan struct{}, 1), taken: make(chan struct{}, 1),
		rate: rate.NewLimiter(rate.Limit(s.limits.Rate), s.limits.Burst),
	}
	c.place = s.connections.Open(c.address, func() {
		c.note(cutOff, "no hello")
		c.finish(websocket.CloseTryAgainLater, "too many connections that have not said hello")
	})
	if c.place == nil {
		cancel()
		s.noteRequest(r, nil, wire.TooMany)
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	u := upgrader
	u.CheckOrigin = s.sameOrigin
	var err error
	if c.ws, err = u.Upgrade(w, r, nil); err != nil {
		cancel()
		c.place.Close()
		return
	}
	s.queues.add(c)
	go c.writeAll()
	go func() {
		defer c.place.Close()
		defer cancel()
		c.readAll()
		s.queues.remove(c)
		s.disconnected(c)
	}()
}

// reportFormat is the format of a record that judges a player's decisions.
const reportFormat = "report"

// record writes one game, running or over, in the format of the file's name.
func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	id, format, ok := strings.Cut(file, ".")
	if !ok || strings.Trim(format, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		http.NotFound(w, r)
		return
	}
	caller := s.caller(r)
	if format == reportFormat && s.isGuarded(id) {
		http.Error(w, noHelp, http.StatusForbidden)
		return
	}
	state, past, err := s.snapshot(r.Context(), caller, id)
	if err != nil {
		http.Error(w, "the game cannot be read", http.StatusInternalServerError)
		return
	}
	if state != nil && state.Record != "" { // a game from elsewhere is of nobody here: judged is who is asked for
		if format == reportFormat && s.inGuarded(caller, state.Rules) {
			http.Error(w, noHelp, http.StatusForbidden)
			return
		}
		if seat, err := strconv.Atoi(r.URL.Query().Get("seat")); err == nil && seat >= 0 && seat < len(state.Seats) {
			state.You = seat
		}
	}
	text, kind := "", "text/plain; charset=utf-8"
	switch {
	case state == nil:
		ok = false
	case format == "json":
		text, kind = string(encode(0, state).text)+"\n", "application/json"
	default:
		done, err := s.archive.reading.Take(r.Context(), caller)
		if err != nil {
			return // the client has left
		}
		defer done()
		if err := past.replay(past.moves, new(clocks)); err != nil {
			panic(err) // the same moves were legal in the game
		}
		text, ok = past.game.Record(format, state)
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
	fmt.Fprint(w, text)
}

// snapshot returns a game as its record has it for the caller. Past is the same game, to
// be replayed. Both are nil if there is no such game.
func (s *Server) snapshot(ctx context.Context, caller any, id string) (g *wire.Game, past *position, err error) {
	ok := s.awake(caller, withID(id), func(tx *transaction) {
		if t := tx.games.tables[id]; t != nil {
			tx.game = t.ref()
			g, past = t.recorded(caller), t.past(t.turn)
		}
	})
	if !ok {
		return nil, nil, errors.New(reasonFailed)
	}
	if g != nil {
		return g, past, nil
	}
	t, err := s.archive.open(ctx, caller, id)
	if t == nil || err != nil {
		return nil, nil, err
	}
	s.state.With(func(*state) { g, past = t.recorded(caller), t.past(t.turn) })
	return g, past, nil
}

// caller returns who sends a request: its account, or the address of a client without
// one.
func (s *Server) caller(r *http.Request) any {
	if a, ok := r.Context().Value(callerKey{}).(*account); ok {
		return a
	}
	return s.client(r)
}
