package bridge

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/client"
	"gamebots/hexproto/wire"
)

// Bridge is a bot at a server. Make one with New.
type Bridge struct {
	Client *client.Client // its Handler is the Bridge
	Bot    hexproto.Bot
	Log    *slog.Logger
	// Ended is called with the end of each game, one after another, if it is set.
	Ended func(*wire.Game)
	ends  sync.Mutex // of its calls

	mu          sync.Mutex
	settings    configs.Board
	me          string
	welcomed    bool   // there is a connection
	trouble     string // of the last attempts to have one
	connections int
	draining    bool // no more games
	games       map[string]*game
	accepting   map[string]string   // challenges that are being accepted, and whose they are
	coming      map[string]string   // games that began and have shown no state yet, and the opponents
	over        map[string]bool     // games that ended while an answer that may name them was out
	patience    map[string]*reserve // with other players
	finder      finder
	idle        chan struct{} // closed when draining has come to its end
	wait        sync.WaitGroup
	ctx         context.Context
	opening     chan struct{} // places for engines that are being opened
}

// engineStarts is how many engines are opened at a time, so that hundreds of
// resumed games do not start hundreds of programs in one moment.
const engineStarts = 4

// New returns a bridge for a bot.
func New(client *client.Client, bot hexproto.Bot, settings configs.Board, log *slog.Logger) *Bridge {
	b := &Bridge{
		Client: client, Bot: bot, Log: log, settings: settings, games: map[string]*game{}, accepting: map[string]string{},
		coming: map[string]string{}, over: map[string]bool{}, patience: map[string]*reserve{}, idle: make(chan struct{}), opening: make(chan struct{}, engineStarts),
	}
	b.finder.init()
	client.Handler = b
	return b
}

// Run plays until the context ends, or the games that the settings ask for are
// played. When the context ends the running games are finished first, if the
// settings say so, until hurry ends too.
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
	case <-b.idle:
	case <-ctx.Done():
		b.drain()
		b.mu.Lock()
		finish := b.settings.Conduct.FinishGames
		b.mu.Unlock()
		if finish {
			select {
			case <-b.idle:
			case <-hurry.Done():
			case err = <-result:
				result <- nil
			}
		}
	}
	cancel()
	<-result
	b.wait.Wait()
	return err
}

// Reload changes the settings. Those of account, engine and files stay.
func (b *Bridge) Reload(s configs.Board) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.Account, s.Engine, s.Files = b.settings.Account, b.settings.Engine, b.settings.Files
	b.settings = s
	b.finder.signal()
}

// drain has the bridge take no more games.
func (b *Bridge) drain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draining = true
	b.restLocked()
}

// restLocked ends draining when nothing runs any more.
func (b *Bridge) restLocked() {
	if !b.draining || b.used() > len(b.finder.pending) {
		return
	}
	select {
	case <-b.idle:
	default:
		close(b.idle)
	}
}

// used counts the places that are taken. It holds the lock.
func (b *Bridge) used() int {
	return len(b.games) + len(b.accepting) + len(b.coming) + len(b.finder.pending)
}

// Welcome takes up what runs, and asks for what ended while nobody listened.
func (b *Bridge) Welcome(w *wire.Welcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.me, b.welcomed, b.trouble = w.You.Name, true, ""
	b.connections++
	running := map[string]bool{}
	for _, id := range w.Games {
		running[id] = true
	}
	for id := range b.coming {
		if !running[id] {
			delete(b.coming, id) // it ended already
		}
	}
	for id, g := range b.games {
		if !running[id] {
			g.doubt()
		}
	}
	b.Log.Info("connected", "name", b.me, "games", len(w.Games), "server", w.Server)
	b.reconnected()
}

// Lost notes the end of a connection.
func (b *Bridge) Lost(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.welcomed:
		b.Log.Warn("connection lost", "error", err)
	case err.Error() != b.trouble:
		b.trouble = err.Error() // told once: there may be many attempts
		b.Log.Warn("not connected; trying again", "error", err, "url", b.Client.URL)
	}
	b.welcomed = false
}

// Message is called with what the server says unasked.
func (b *Bridge) Message(m wire.Message) {
	switch m := m.(type) {
	case *wire.Game:
		b.state(m)
	case *wire.Moved:
		b.tell(m.Game, func(g *game) { g.moved(m) })
	case *wire.Over:
		b.tell(m.Game, func(g *game) { g.over(m) })
	case *wire.Offered:
		b.tell(m.Game, func(g *game) { g.offered(m) })
	case *wire.Said:
		if m.Game != "" {
			b.tell(m.Game, func(g *game) { g.heard(m.Line) })
		}
	case *wire.Challenged:
		b.challenged(m)
	case *wire.Closed:
		b.closed(m)
	case *wire.Error:
		b.Log.Warn("the server complains", "error", m, "game", m.Game)
	case *wire.Restart:
		b.Log.Info("the server goes down for a moment")
	}
}

// tell calls f with a game that is played.
func (b *Bridge) tell(id string, f func(*game)) {
	b.mu.Lock()
	g := b.games[id]
	b.mu.Unlock()
	if g != nil {
		f(g)
	}
}

// state takes the state of a game, new or not.
func (b *Bridge) state(m *wire.Game) {
	if m.You < 0 {
		return
	}
	b.mu.Lock()
	delete(b.coming, m.Game)
	g := b.games[m.Game]
	switch {
	case g == nil && m.Result == nil:
		g = newGame(b, m)
		b.games[m.Game] = g
		b.wait.Go(g.run)
	case g == nil && b.asking():
		b.over[m.Game] = true
	}
	b.mu.Unlock()
	if g != nil {
		g.full(m)
	}
}

// began notes a game whose state has not come yet. It holds the lock. The answer that
// names a game is taken by a goroutine of its own, so the game may be over by then.
func (b *Bridge) began(id, opponent string) {
	if b.games[id] == nil && !b.over[id] && id != "" {
		b.coming[id] = opponent
	}
}

// answeredLocked forgets the games that are over once no answer is out that may name
// one.
func (b *Bridge) answeredLocked() {
	if !b.asking() {
		clear(b.over)
	}
}

// asking says whether an answer is out that may name a game. It holds the lock.
func (b *Bridge) asking() bool {
	for _, p := range b.finder.pending {
		if p.challenge == "" {
			return true
		}
	}
	return len(b.accepting) > 0
}

// ended forgets a game that is over.
func (b *Bridge) ended(g *game, final *wire.Game) {
	b.mu.Lock()
	delete(b.games, g.id)
	if b.asking() {
		b.over[g.id] = true
	}
	r := b.reserve(g.opponent)
	r.until = time.Now().Add(b.settings.Accept.Pause)
	b.finder.finished(b.settings.Challenge.Tag, final)
	b.restLocked()
	b.mu.Unlock()
	if b.Ended != nil {
		b.ends.Lock()
		defer b.ends.Unlock()
		b.Ended(final)
	}
}

// call sends a message and waits for the answer as long as the bridge runs.
func (b *Bridge) call(m wire.Message) (wire.Message, error) { return b.Client.Call(b.ctx, m) }

// spawn calls in a goroutine, for callers that may not wait.
func (b *Bridge) spawn(m wire.Message, then func(wire.Message, error)) {
	b.wait.Go(func() {
		answer, err := b.call(m)
		if then != nil {
			then(answer, err)
		}
	})
}

// ackOf returns an answer that is an ack, or an empty one.
func ackOf(m wire.Message) *wire.Ack {
	if a, ok := m.(*wire.Ack); ok {
		return a
	}
	return &wire.Ack{}
}

// refusalOf returns the server's refusal, or nil.
func refusalOf(err error) *wire.Error {
	if e := (*wire.Error)(nil); errors.As(err, &e) {
		return e
	}
	return nil
}

func key(name string) string { return strings.ToLower(name) }
