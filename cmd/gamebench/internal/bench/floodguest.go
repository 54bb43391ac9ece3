package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// guest is an honest guest of a server. A connection makes a challenge each second, and
// another one, over a slow line, follows the lobby until it is there.
type guest struct {
	f      *flood
	maker  *websocket.Conn
	reader string // the token of the one that follows
}

// visited is what a guest has seen.
type visited struct {
	health  []time.Duration // times of answers of /healthz
	changes []time.Duration // times from challenges until the lobby had them
	largest int             // bytes of the largest message
	cut     int             // times that the connection in the lobby was cut off
	err     error
}

// slowLine is the speed of the line of the guest in the lobby, in bytes a second: 10 Mbit/s.
const slowLine = 1_250_000

// lastChange is how long the guest waits for a change.
const lastChange = 5 * time.Second

func newGuest(f *flood) (*guest, error) {
	maker, _, err := f.join("maker", "")
	if err != nil {
		return nil, err
	}
	reader, w, err := f.join("reader", "")
	if err != nil {
		maker.Close()
		return nil, err
	}
	reader.Close()
	return &guest{f, maker, w.Token}, nil
}

func (g *guest) close() { g.maker.Close() }

// line is a connection that delivers its bytes slowly.
type line struct {
	net.Conn
	limit *rate.Limiter
}

func (l *line) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b[:min(len(b), l.limit.Burst())])
	if n > 0 {
		_ = l.limit.WaitN(context.Background(), n) // n is never above the burst
	}
	return n, err
}

// enter opens a connection over a slow line, and enters the lobby.
func (g *guest) enter(ctx context.Context) (*websocket.Conn, error) {
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &line{c, rate.NewLimiter(slowLine, 16<<10)}, c.(*net.TCPConn).SetReadBuffer(64 << 10)
	}}
	ws, _, err := dialer.DialContext(ctx, g.f.url, nil)
	if err != nil {
		return nil, err
	}
	for _, m := range []wire.Message{
		&wire.Hello{Version: wire.Version, Token: g.reader}, &wire.EnterLobby{On: true, Changes: true},
	} {
		frame, err := wire.Encode(0, m)
		if err == nil {
			err = ws.WriteMessage(websocket.TextMessage, frame)
		}
		if err != nil {
			ws.Close()
			return nil, err
		}
	}
	return ws, nil
}

// visit visits until the context ends. It calls greeted after the first visit, whatever came of it.
func (g *guest) visit(ctx context.Context, greeted func()) (seen visited) {
	defer greeted()
	var tag lobbyTag
	var reading sync.WaitGroup
	reading.Go(func() { seen.largest, seen.cut = g.follow(ctx, &tag) })
	defer reading.Wait()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		start := time.Now()
		if seen.err = g.healthy(ctx); seen.err != nil {
			if ctx.Err() != nil {
				seen.err = nil
			}
			return seen
		}
		seen.health = append(seen.health, time.Since(start))
		came := tag.expect(rand.Text())
		start = time.Now()
		var ack wire.Ack
		challenge := wire.Challenge{Rules: boards.HavannahName, Tag: string(tag.text)}
		if seen.err = ask(g.maker, &challenge, &ack); seen.err != nil {
			return seen
		}
		select {
		case <-came:
		case <-time.After(lastChange):
		case <-ctx.Done():
		}
		greeted()
		if took := time.Since(start); ctx.Err() == nil || len(seen.changes) == 0 {
			seen.changes = append(seen.changes, took)
		}
		if seen.err = ask(g.maker, &wire.Cancel{Challenge: ack.Challenge}, &ack); seen.err != nil {
			return seen
		}
		select {
		case <-ctx.Done():
			return seen
		case <-tick.C:
		}
	}
}

// healthy asks whether the server is.
func (g *guest) healthy(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+g.f.host+"/healthz", nil)
	if err != nil {
		return err
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	return errors.Join(err, r.Body.Close())
}

// lobbyTag is the tag of the challenge that the lobby is to show.
type lobbyTag struct {
	mu   sync.Mutex
	text []byte
	came chan bool
}

// expect returns a channel that is closed once the lobby shows a tag.
func (t *lobbyTag) expect(text string) <-chan bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text, t.came = []byte(text), make(chan bool)
	return t.came
}

// look looks for the tag in a message.
func (t *lobbyTag) look(frame []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.came != nil && bytes.Contains(frame, t.text) {
		close(t.came)
		t.came = nil
	}
}

// follow reads the lobby until the context ends, and enters again whenever it is cut off.
func (g *guest) follow(ctx context.Context, tag *lobbyTag) (largest, cut int) {
	for ctx.Err() == nil {
		ws, err := g.enter(ctx)
		if err != nil {
			cut++
			time.Sleep(100 * time.Millisecond)
			continue
		}
		stop := context.AfterFunc(ctx, func() { ws.Close() })
		for err == nil {
			var frame []byte
			if _, frame, err = ws.ReadMessage(); err == nil {
				largest = max(largest, len(frame))
				tag.look(frame)
			}
		}
		stop()
		ws.Close()
		if ctx.Err() == nil {
			cut++
		}
	}
	return largest, cut
}
