package bridge

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/client"
	"gamebots/hexproto/wire"
)

// Bridge is a bot at a server. New makes one.
type Bridge struct {
	Client *client.Client // its Handler is the Bridge
	Bot    hexproto.Bot
	Log    *slog.Logger
	// OnEnd, if not nil, is called with each game that has ended, one at a time. It
	// is set before Run.
	OnEnd func(*wire.Game)
	endMu sync.Mutex // for its calls

	wait    sync.WaitGroup
	ctx     context.Context
	drained chan struct{} // closed when no game is left after draining
	opening chan struct{} // has room for maxOpening engines

	mu           sync.Mutex
	settings     configs.BoardBot
	name         string // name of the account
	connected    bool
	lastError    string // error of the last attempt to connect
	connections  int    // number of connections so far
	shared       bool   // others use the account, too
	draining     bool   // no more games begin
	games        map[string]*game
	accepting    map[string]string   // maker of each challenge whose acceptance is in flight
	expected     map[string]string   // opponent of each game that began, but has shown no state yet
	over         map[string]bool     // games that ended while an answer under way may name them
	backoffs     map[string]*backoff // pauses by the key of the player
	loggedErrors map[string]bool     // errors that were logged once
	failed       error               // why the bridge drains, if another start would not help
	finder       finder
}

// maxOpening is how many engines are opened at a time, so that hundreds of resumed
// games do not start hundreds of programs at once.
const maxOpening = 4

// New returns a bridge that plays a bot with a client.
func New(c *client.Client, bot hexproto.Bot, settings configs.BoardBot, log *slog.Logger) *Bridge {
	b := &Bridge{
		Client: c, Bot: bot, Log: log, settings: settings, games: map[string]*game{}, accepting: map[string]string{},
		expected: map[string]string{}, over: map[string]bool{}, loggedErrors: map[string]bool{},
		backoffs: map[string]*backoff{}, drained: make(chan struct{}), opening: make(chan struct{}, maxOpening),
		finder: finder{
			wake: make(chan struct{}, 1), pending: map[int]*proposal{}, playing: map[string]int{}, done: map[int]bool{},
		},
	}
	c.Handler = b
	return b
}

// Run plays until the context ends, or until the games that the settings ask for
// are played. If the settings say so, it then finishes the running games, until
// hurry ends too.
func (b *Bridge) Run(ctx, hurry context.Context) error {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.ctx = inner
	result := make(chan error, 1)
	go func() { result <- b.Client.Run(inner) }()
	b.wait.Go(func() { b.find(inner) })

	var err error
	select {
	case err = <-result:
		result <- nil
	case <-b.drained:
		b.mu.Lock()
		err = b.failed
		b.mu.Unlock()
	case <-ctx.Done():
		b.drain()
		b.mu.Lock()
		finish := b.settings.Conduct.FinishGames
		b.mu.Unlock()
		if finish {
			select {
			case <-b.drained:
			case <-hurry.Done():
			case err = <-result:
				result <- nil
			}
		}
	}
	cancel()
	err = cmp.Or(err, <-result)
	b.wait.Wait()
	return err
}

// Reload changes the settings, except those of account, engine and files.
func (b *Bridge) Reload(s configs.BoardBot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.Account, s.Engine, s.Files = b.settings.Account, b.settings.Engine, b.settings.Files
	b.settings = s
	b.finder.signal()
}

// current returns the settings, and the number of the connection.
func (b *Bridge) current() (configs.BoardBot, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.settings, b.connections
}

// drain stops the bridge from taking more games.
func (b *Bridge) drain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draining = true
	b.checkDrained()
}

// checkDrained ends draining if no game is left. The caller holds the lock.
func (b *Bridge) checkDrained() {
	if !b.draining || b.slots() > len(b.finder.pending) {
		return
	}
	select {
	case <-b.drained:
	default:
		close(b.drained)
	}
}

// slots counts the games that run or may begin. The caller holds the lock.
func (b *Bridge) slots() int {
	return len(b.games) + len(b.accepting) + len(b.expected) + len(b.finder.pending)
}

// Welcome begins a connection. It marks the games as stale that the server no longer
// lists as running.
func (b *Bridge) Welcome(w *wire.Welcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.name, b.connected, b.lastError = w.You.Name, true, ""
	b.connections++
	// A game that was expected and does not run has ended already.
	maps.DeleteFunc(b.expected, func(id, _ string) bool { return !slices.Contains(w.Games, id) })
	for id, g := range b.games {
		if !slices.Contains(w.Games, id) {
			g.state.markStale()
		}
	}
	b.shared = false
	b.Log.Info("connected", "name", b.name, "games", len(w.Games), "server", w.Server)
	if want := b.settings.Account.Name; want != "" && key(want) != key(b.name) && !b.loggedErrors["name"] {
		b.loggedErrors["name"] = true
		b.Log.Warn("the token is that of another name, which the bot plays by", "name", b.name, "asked", want)
	}
	b.repropose()
}

// Lost notes the end of a connection.
func (b *Bridge) Lost(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.connected:
		b.Log.Warn("connection lost", "error", err)
	case err.Error() != b.lastError:
		b.lastError = err.Error() // logged once: there may be many attempts
		b.Log.Warn("not connected; trying again", "error", err, "url", b.Client.URL)
	}
	b.connected = false
}

// Message handles the messages that answer no call.
func (b *Bridge) Message(m wire.Message) {
	switch m := m.(type) {
	case *wire.Game:
		b.received(m)
	case *wire.Moved:
		b.update(m.Game, func(s *gameState) { s.moved(m) })
	case *wire.Over:
		b.update(m.Game, func(s *gameState) { s.over(m) })
	case *wire.Offered:
		b.update(m.Game, func(s *gameState) { s.offered(m) })
	case *wire.Said:
		if m.Game != "" {
			b.update(m.Game, func(s *gameState) { s.said(m.Line) })
		}
	case *wire.Challenged:
		b.challenged(m)
	case *wire.Closed:
		b.closed(m)
	case *wire.Error:
		b.Log.Warn("the server complains", "error", m, "game", m.Game)
	case *wire.Connections:
		b.connectionsOf(m.Count)
	case *wire.Restart:
		b.Log.Info("the server goes down for a moment")
	}
}

// connectionsOf takes the number of connections of the account. Two bots on one account
// accept the same challenges and play the same games.
func (b *Bridge) connectionsOf(count int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if count > 1 && !b.shared {
		b.Log.Error("another connection plays this account: a bot needs a token of its own",
			"name", b.name, "connections", count)
	} else if count <= 1 && b.shared {
		b.Log.Info("this is the only connection of the account again", "name", b.name)
	}
	b.shared = count > 1
}

// firstTime reports whether an error is to be logged, which is once.
func (b *Bridge) firstTime(err string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := !b.loggedErrors[err]
	b.loggedErrors[err] = true
	return first
}

// update calls f with the state of a game that is played.
func (b *Bridge) update(id string, f func(*gameState)) {
	b.mu.Lock()
	g := b.games[id]
	b.mu.Unlock()
	if g != nil {
		f(g.state)
	}
}

// received takes a full state, and starts a game that is new.
func (b *Bridge) received(m *wire.Game) {
	if m.You < 0 {
		return
	}
	b.mu.Lock()
	delete(b.expected, m.Game)
	g := b.games[m.Game]
	switch {
	case g == nil && m.Result == nil:
		g = newGame(b, m)
		b.games[m.Game] = g
		b.wait.Go(g.run)
	case g == nil && b.answerDue():
		b.over[m.Game] = true
	}
	b.mu.Unlock()
	if g != nil {
		g.state.full(m)
	}
}

// expect notes a game that began, until its state comes. An answer that names a game
// is handled in a goroutine of its own, so the game may be over by then. The caller
// holds the lock.
func (b *Bridge) expect(id, opponent string) {
	if b.games[id] == nil && !b.over[id] && id != "" {
		b.expected[id] = opponent
	}
}

// forgetOver forgets the games that are over once no answer under way may name one.
// The caller holds the lock.
func (b *Bridge) forgetOver() {
	if !b.answerDue() {
		clear(b.over)
	}
}

// answerDue reports whether an answer under way may name a game. The caller holds
// the lock.
func (b *Bridge) answerDue() bool {
	proposals := slices.Collect(maps.Values(b.finder.pending))
	return len(b.accepting) > 0 || slices.ContainsFunc(proposals, func(p *proposal) bool { return p.challenge == "" })
}

// ended removes a game that is over.
func (b *Bridge) ended(g *game, final *wire.Game) {
	b.mu.Lock()
	delete(b.games, g.id)
	if b.answerDue() {
		b.over[g.id] = true
	}
	b.backoff(g.opponent).until = time.Now().Add(b.settings.Accept.Pause)
	b.finder.finished(b.settings.Challenge.Tag, final)
	b.checkDrained()
	b.mu.Unlock()
	if b.OnEnd != nil {
		b.endMu.Lock()
		defer b.endMu.Unlock()
		b.OnEnd(final)
	}
}

// spawn sends a message in a goroutine of its own, which calls then, if not nil,
// with the answer.
func (b *Bridge) spawn(m wire.Message, then func(wire.Message, error)) {
	b.wait.Go(func() {
		answer, err := b.Client.Call(b.ctx, m)
		if then != nil {
			then(answer, err)
		}
	})
}

// ackOf returns an answer as an ack, an empty one if it is something else.
func ackOf(m wire.Message) *wire.Ack {
	a, _ := m.(*wire.Ack)
	return cmp.Or(a, &wire.Ack{})
}

// refusalOf returns the error message of the server, or nil for any other error.
func refusalOf(err error) *wire.Error {
	e, _ := errors.AsType[*wire.Error](err)
	return e
}

func key(name string) string { return strings.ToLower(name) }
