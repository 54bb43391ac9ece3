package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// Client is a connection to a server that reconnects when it is lost. Its fields are
// set before Run. Any goroutine may call any method, except that a Handler must not
// use Call.
type Client struct {
	URL     string // ws://host:port/ws
	Hello   wire.Hello
	Handler Handler
	// SaveToken is called with the token of a new account, which a server may send only to
	// who has none. Run ends if it fails. It may be nil if Hello has a token.
	SaveToken func(token string) error
	// Timeout is the silence after which a connection counts as lost. Pings go at less
	// than half of it. 0 is 20 s; TCP alone would need minutes.
	Timeout time.Duration

	mu      sync.Mutex
	link    *link // nil while there is no connection
	ids     uint64
	clock   serverClock
	limiter *rate.Limiter // rate of messages, nil without a limit
}

// Handler receives the messages of a server. Its methods are called one at a time, in
// the order of the messages, by the reading goroutine. They must return at once, or
// pings go unanswered.
type Handler interface {
	// Welcome begins a connection. The states of running games follow.
	Welcome(*wire.Welcome)
	// Message receives any other message that answers no Call, and every full state
	// of a game.
	Message(wire.Message)
	// Lost ends a connection, or an attempt at one. The client tries again.
	Lost(error)
}

// ErrLost is wrapped by the errors of calls whose answer will not come. The server may
// or may not have handled the message.
var ErrLost = errors.New("the connection was lost")

// link is one connection. Its calls end with it.
type link struct {
	ws    *websocket.Conn
	write sync.Mutex
	calls map[uint64]chan wire.Message // guarded by the client's lock
	done  chan struct{}
	wait  time.Duration // before the next attempt, as the server asks

	welcomed bool // for the reading goroutine
}

const (
	defaultTimeout = 20 * time.Second
	writeTimeout   = 10 * time.Second
	maxFrame       = 16 << 20 // bytes, more than any lobby takes
	maxToken       = 1 << 10  // bytes, more than a token of any server has
)

// Run connects, and reconnects, until the context ends, or until an error that another
// attempt would not change: a wrong token, version or name, a ban, or, before the first
// welcome, an address without a server, or without the TLS that the URL asks for.
func (c *Client) Run(ctx context.Context) error {
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	for failures := 0; ; {
		began := time.Now()
		wait, err := c.connect(ctx)
		if ctx.Err() != nil {
			//lint:ignore nilerr the end of ctx is no failure
			return nil
		}
		if fatal := (*fatal)(nil); errors.As(err, &fatal) {
			return fatal.error
		}
		if time.Since(began) > c.Timeout {
			failures = 0
		}
		c.Handler.Lost(err)
		select {
		case <-time.After(max(wait, retryDelay(failures))):
			failures++
		case <-ctx.Done():
			return nil
		}
	}
}

// retryDelay returns how long to wait after n failures in a row. The delay grows, and
// is random so that the clients of a server that comes back do not all connect in one
// moment, but all do within a second.
func retryDelay(failures int) time.Duration {
	switch failures {
	case 0:
		return 50 * time.Millisecond
	case 1:
		return 100*time.Millisecond + rand.N(200*time.Millisecond)
	}
	return 250*time.Millisecond + rand.N(500*time.Millisecond)
}

// fatal is an error that another attempt would not change.
type fatal struct{ error }

// connect holds one connection until it ends. Wait is how long the server asks clients
// to wait before they try again.
func (c *Client) connect(ctx context.Context) (wait time.Duration, err error) {
	ws, wait, err := c.dial(ctx)
	if err != nil {
		return wait, err
	}
	l := &link{ws: ws, calls: map[uint64]chan wire.Message{}, done: make(chan struct{})}
	stop := context.AfterFunc(ctx, func() { ws.Close() })
	defer stop()
	defer func() {
		c.mu.Lock()
		if c.link == l {
			c.link = nil
		}
		c.mu.Unlock()
		close(l.done)
		ws.Close()
	}()
	hello := c.Hello
	hello.Version = wire.Version
	if err = l.send(1, &hello); err == nil {
		err = c.receive(l)
	}
	return l.wait, err
}

// dial opens a connection. If the server refuses it, wait is how long it asks clients to wait.
func (c *Client) dial(ctx context.Context) (ws *websocket.Conn, wait time.Duration, err error) {
	dialer := websocket.Dialer{HandshakeTimeout: c.Timeout, Proxy: http.ProxyFromEnvironment}
	// A handshake that waits for a silent server takes no notice of the end of ctx.
	stop := func() bool { return false }
	defer func() { stop() }()
	dialer.NetDialContext = func(shorter context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(shorter, network, addr)
		if err == nil {
			stop = context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	}
	ws, resp, err := dialer.DialContext(ctx, c.URL, http.Header{"User-Agent": {c.Hello.Agent}})
	if err == nil {
		return ws, 0, nil
	}
	if resp == nil {
		if !c.wasWelcomed() && noTLS(err) {
			return nil, 0, &fatal{fmt.Errorf("%s: %w", c.URL, err)}
		}
		return nil, 0, err
	}
	err = fmt.Errorf("%w: %s", err, resp.Status)
	if to := resp.Header.Get("Location"); to != "" {
		err = fmt.Errorf("%w to %q", err, to)
	}
	switch status := resp.StatusCode; {
	case c.wasWelcomed():
	case status == http.StatusNotFound:
		return nil, 0, &fatal{fmt.Errorf("%s: there is no server of board games: %w", c.URL, err)}
	case status == http.StatusForbidden:
		why, _ := io.ReadAll(resp.Body) // a part of it, which the websocket has read
		return nil, 0, &fatal{fmt.Errorf("%s: %w: %.200q", c.URL, err, bytes.TrimSpace(why))}
	case status/100 == 3:
		return nil, 0, &fatal{fmt.Errorf("%s: %w", c.URL, err)}
	}
	if s, e := strconv.Atoi(resp.Header.Get("Retry-After")); e == nil && s > 0 {
		wait = min(time.Duration(s)*time.Second, time.Minute)
	}
	return nil, wait, err
}

// noTLS reports whether an error is that of a server without TLS, or without a certificate of its
// name that is valid.
func noTLS(err error) bool {
	return errors.As(err, new(tls.RecordHeaderError)) || errors.As(err, new(*tls.CertificateVerificationError))
}

// receive dispatches the messages of a link until it ends. Each message keeps it alive, and so
// does each ping.
func (c *Client) receive(l *link) error {
	alive := func() { l.ws.SetReadDeadline(time.Now().Add(c.Timeout)) }
	alive()
	pong := l.ws.PingHandler()
	l.ws.SetPingHandler(func(text string) error { alive(); return pong(text) })
	l.ws.SetReadLimit(maxFrame)
	for {
		_, frame, err := l.ws.ReadMessage()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		alive()
		id, m, err := wire.FromServer.Decode(frame)
		if errors.Is(err, wire.ErrType) {
			continue // the server is of a later version
		}
		if err != nil {
			return errBroken(err)
		}
		if err := c.dispatch(l, id, m); err != nil {
			return err
		}
	}
}

// errBroken returns the error of a message that no server sends.
func errBroken(err error) error {
	return fmt.Errorf("%w: the server sends broken messages: %w", ErrLost, err)
}

// dispatch passes a message to who waits for it. An error ends the link.
func (c *Client) dispatch(l *link, id uint64, m wire.Message) error {
	switch m := m.(type) {
	case *wire.Welcome:
		if err := c.welcomed(l, m); err != nil {
			return &fatal{err}
		}
		go c.ping(l)
		return nil
	case *wire.Pong:
		c.mu.Lock()
		c.clock.pong(m, wire.Now())
		c.mu.Unlock()
		return nil
	case *wire.Restart:
		l.wait = time.Duration(m.Retry) * time.Millisecond
	case *wire.Error:
		if id == 1 && !l.welcomed {
			return l.refused(m)
		}
	case *wire.Game:
		if len(m.Seats) < 2 || m.You >= len(m.Seats) {
			return errBroken(fmt.Errorf("game %s has %d seats", m.Game, len(m.Seats)))
		}
	}
	c.answer(l, id, m)
	return nil
}

// refused returns the error of a link that the server refused.
func (l *link) refused(m *wire.Error) error {
	switch m.Code {
	case wire.BadToken, wire.BadName, wire.BadVersion, wire.BadMessage, wire.Banned:
		return &fatal{m}
	}
	l.wait = time.Duration(m.Retry) * time.Millisecond
	return m
}

// wasWelcomed reports whether the server has ever welcomed this client.
func (c *Client) wasWelcomed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ids > 0
}

// welcomed makes a link the current one.
func (c *Client) welcomed(l *link, m *wire.Welcome) error {
	if m.Token != "" && c.Hello.Token == "" {
		if c.SaveToken == nil {
			return errors.New("the token of the new account cannot be saved")
		}
		if len(m.Token) > maxToken || strings.ContainsFunc(m.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("the server sends a token that is none")
		}
		if err := c.SaveToken(m.Token); err != nil {
			return fmt.Errorf("saving the token: %w", err)
		}
		c.Hello.Token, c.Hello.Name = m.Token, ""
	}
	l.welcomed = true
	c.mu.Lock()
	c.link, c.ids, c.limiter = l, c.ids+1, nil
	if m.Limits.Rate > 0 { // a part of it is left for pings
		c.limiter = rate.NewLimiter(0.8*rate.Limit(m.Limits.Rate), max(1, m.Limits.Burst/2))
	}
	c.clock = serverClock{}
	c.clock.estimate(m.Now, wire.Now())
	c.mu.Unlock()
	c.Handler.Welcome(m)
	return nil
}

// answer passes a message to the call that waits for it, if there still is one, or to the
// handler. A state goes to the handler, whoever asked for it.
func (c *Client) answer(l *link, id uint64, m wire.Message) {
	if call := c.forget(l, id); call != nil {
		call <- m // has room for one
	}
	if _, ok := m.(*wire.Game); ok || id == 0 {
		c.Handler.Message(m)
	}
}

// forget ends a call of a link, and returns the channel of its answer, or nil if it has ended.
func (c *Client) forget(l *link, id uint64) chan<- wire.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := l.calls[id]
	delete(l.calls, id)
	return call
}

// ping sends pings until the link ends. The answers keep the link alive and set the
// clock.
func (c *Client) ping(l *link) {
	t := time.NewTicker(c.Timeout * 2 / 5)
	defer t.Stop()
	for {
		if l.send(0, &wire.Ping{At: wire.Now().UnixMilli()}) != nil {
			l.ws.Close()
			return
		}
		select {
		case <-t.C:
		case <-l.done:
			return
		}
	}
}

func (l *link) send(id uint64, m wire.Message) error {
	frame, err := wire.Encode(id, m)
	if err != nil {
		return err
	}
	l.write.Lock()
	defer l.write.Unlock()
	l.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
	return l.ws.WriteMessage(websocket.TextMessage, frame)
}

// Call sends a message and returns the answer: an ack, or the message that was asked
// for. A refusal is a *wire.Error. If the server refuses because of too many messages,
// Call waits and tries again. An error wraps ErrLost if the answer will not come.
func (c *Client) Call(ctx context.Context, m wire.Message) (wire.Message, error) {
	for {
		answer, err := c.call(ctx, m)
		if err != nil {
			return nil, err
		}
		refusal, ok := answer.(*wire.Error)
		if !ok {
			return answer, nil
		}
		if refusal.Code != wire.TooFast {
			return nil, refusal
		}
		select {
		case <-time.After(time.Duration(refusal.Retry) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Client) call(ctx context.Context, m wire.Message) (wire.Message, error) {
	if err := c.pace(ctx); err != nil {
		return nil, err
	}
	answer := make(chan wire.Message, 1)
	c.mu.Lock()
	l := c.link
	c.ids++
	id := c.ids
	if l != nil {
		l.calls[id] = answer
	}
	c.mu.Unlock()
	if l == nil {
		return nil, ErrLost
	}
	if err := l.send(id, m); err != nil {
		l.ws.Close()
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	select {
	case a := <-answer:
		return a, nil
	case <-l.done:
		select {
		case a := <-answer: // it came before the end
			return a, nil
		default:
			return nil, ErrLost
		}
	case <-ctx.Done():
		c.forget(l, id)
		return nil, ctx.Err()
	}
}

// pace waits until a message is within the server's rate.
func (c *Client) pace(ctx context.Context) error {
	c.mu.Lock()
	limiter := c.limiter
	c.mu.Unlock()
	if limiter == nil { // the server has none, or has not said so yet
		return nil
	}
	return limiter.Wait(ctx)
}

// Now returns the server's time, as the pings have measured it.
func (c *Client) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return wire.Now().Add(c.clock.ahead)
}

// Latency returns how long a message and its answer take together.
func (c *Client) Latency() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock.latency
}

// serverClock estimates the server's clock. Times of ours are steady: that our system's
// clock is changed does not matter.
type serverClock struct {
	ahead   time.Duration // server's clock minus ours
	latency time.Duration // latency of the answer that ahead was measured by
	exact   bool          // measured by an answer
}

// estimate sets the clock by a message of unknown age.
func (d *serverClock) estimate(server int64, at time.Time) { d.ahead = time.UnixMilli(server).Sub(at) }

// pong sets the clock by an answer, unless a quicker answer has set it. Clocks drift,
// so the accepted latency grows with each slow answer.
func (d *serverClock) pong(m *wire.Pong, at time.Time) {
	latency := at.Sub(time.UnixMilli(m.At))
	if latency < 0 {
		return // not the answer of a ping of ours
	}
	if d.exact && latency > d.latency*5/4+time.Millisecond {
		d.latency += d.latency/8 + time.Millisecond
		return
	}
	d.latency, d.exact = latency, true
	d.ahead = time.UnixMilli(m.Now).Sub(at.Add(-latency / 2))
}
