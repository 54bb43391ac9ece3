package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/client"
	"gamebots/hexproto/wire"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Player plays at a server for a client of the Model Context Protocol.
type Player struct {
	URL     string       // the server's websocket, ws://host:port/ws
	Token   string       // the playing account's
	Pages   http.Handler // the server's other paths
	Version string       // the program's

	client *client.Client

	mu      sync.Mutex
	rules   []wire.Rules
	running map[string]*seat // games that are not known to be over
	changed chan struct{}    // closed when the account is to move or a game is over, and at each welcome
}

// seat is where the account sits in a game.
type seat struct {
	rules string
	you   int
	turn  int // the newest one
}

// patience is how long a tool waits for the moves of others.
const patience = 20 * time.Second

// Run serves the tools over a transport until its client leaves or ctx ends.
func (p *Player) Run(ctx context.Context, transport sdk.Transport) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.running, p.changed = map[string]*seat{}, make(chan struct{})
	welcomed := p.changed
	p.client = &client.Client{URL: p.URL, Handler: p,
		Hello: wire.Hello{Token: p.Token, Agent: "gamebots " + p.Version, Bot: true, Views: true}}
	ended := make(chan error, 1)
	go func() { ended <- p.client.Run(ctx) }()
	select {
	case <-welcomed:
	case err := <-ended:
		return err
	}
	err := p.server().Run(ctx, transport)
	if ctx.Err() != nil {
		err = nil // it was asked to end
	} else if err != nil {
		err = fmt.Errorf("messages of the client: %w", err)
	}
	cancel()
	return errors.Join(err, <-ended)
}

// Welcome keeps the rules.
func (p *Player) Welcome(m *wire.Welcome) {
	p.mu.Lock()
	p.rules = m.Rules
	p.mu.Unlock()
	p.signal()
}

// Message wakes those who wait for their turn. A full state comes only to who has asked for it.
func (p *Player) Message(m wire.Message) {
	switch m := m.(type) {
	case *wire.Moved:
		p.mu.Lock()
		s := p.running[m.Game]
		if s != nil {
			s.turn = max(s.turn, m.Turn+1)
		}
		p.mu.Unlock()
		if s == nil || slices.Contains(m.ToMove, s.you) {
			p.signal()
		}
	case *wire.Over:
		p.signal()
	}
}

// Lost does nothing: the client connects again.
func (p *Player) Lost(error) {}

func (p *Player) signal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

// game returns the state of a game of the account.
func (p *Player) game(ctx context.Context, id string) (*wire.Game, error) {
	answer, err := p.client.Call(ctx, &wire.Watch{Game: id})
	if err != nil {
		return nil, err
	}
	g, ok := answer.(*wire.Game)
	if !ok || g.You < 0 {
		return nil, fmt.Errorf("%s: no game of yours", id)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.running[id]
	switch {
	case g.Result != nil:
		delete(p.running, id)
	case known == nil:
		p.running[id] = &seat{g.Rules, g.You, g.Turn}
	default:
		known.turn = max(known.turn, g.Turn)
	}
	return g, nil
}

// wait waits for a change since it was the channel p.changed, for the time of patience at most.
func wait(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-changed:
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// next returns what is closed at the next change, and the turn of a running game, or false if it is not known.
func (p *Player) next(id string) (changed <-chan struct{}, turn int, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.running[id]; s != nil {
		return p.changed, s.turn, true
	}
	return p.changed, 0, false
}

// turn waits until the account is to move in a game or the game is over, or for the time of patience, and returns the
// state.
func (p *Player) turn(ctx context.Context, id string) (*wire.Game, error) {
	for late := time.Now().Add(patience); ; {
		changed, _, _ := p.next(id)
		g, err := p.game(ctx, id)
		if err != nil || g.Result != nil || slices.Contains(g.ToMove, g.You) || time.Now().After(late) {
			return g, err
		}
		if err := wait(ctx, changed); err != nil {
			return nil, err
		}
	}
}

// over returns the state of a game that may be rated: it is over, and no other one of its rules is running, in which
// the same position could be set up.
func (p *Player) over(ctx context.Context, id string) (*wire.Game, error) {
	rated, err := p.game(ctx, id)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	running := maps.Clone(p.running)
	p.mu.Unlock()
	for id, s := range running {
		if s.rules != rated.Rules {
			continue
		}
		if g, err := p.game(ctx, id); err != nil || g.Result == nil {
			return nil, cmp.Or(err, fmt.Errorf("game %s is running: no %s is rated before it is over", id, s.rules))
		}
	}
	return rated, nil
}

// get requests a path of the server that answers with JSON.
func (p *Player) get(ctx context.Context, path string, query url.Values, into any) error {
	// It is no message on the wire: a range of hands may be longer than a server takes there.
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1"+path+"?"+query.Encode(),
		http.NoBody)
	if err != nil {
		return err
	}
	r.RemoteAddr = "127.0.0.1:0"
	r.Header.Set("Authorization", "Bearer "+p.Token)
	w := &response{status: http.StatusOK, header: http.Header{}}
	p.Pages.ServeHTTP(w, r)
	switch w.status {
	case http.StatusOK:
	case http.StatusNotFound:
		return errors.New("the server has no strategy for this game")
	default:
		return errors.New(strings.TrimSpace(w.String()))
	}
	var answer json.RawMessage // the last of the lines, of which those before say how far the work is
	for d := json.NewDecoder(w); d.More(); {
		if err := d.Decode(&answer); err != nil {
			return err
		}
	}
	return json.Unmarshal(answer, into)
}

// response is the answer to a request.
type response struct {
	bytes.Buffer
	status int
	header http.Header
}

func (r *response) Header() http.Header    { return r.header }
func (r *response) WriteHeader(status int) { r.status = status }
