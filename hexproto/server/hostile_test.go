package server_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// undisturbed plays a game of two others to its end; nothing that a hostile
// client does may be seen in it.
func undisturbed(t *testing.T, h *testServer, ada, bob *peer, hostile func(id string)) {
	t.Helper()
	id := sit(t, ada, bob, wire.Challenge{})
	moves := []string{"a1", "c3", "a2", "c4", "a3"} // a bridge of white
	for i, move := range moves {
		hostile(id)
		mover := []*peer{ada, bob}[i%2]
		mover.must(&wire.Play{Game: id, Turn: i, Move: move})
		for _, p := range []*peer{ada, bob} {
			if m := want[wire.Moved](p); m.Turn != i || m.Moves[0].Move != move {
				t.Fatalf("%+v", m)
			}
		}
	}
	if o := want[wire.Over](bob); o.Result.How != "bridge" || o.Result.Winner != 0 {
		t.Errorf("%+v", o)
	}
}

// Broken frames are answered, and the connection stays.
func TestBrokenFrames(t *testing.T) {
	h := start(t, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	undisturbed(t, h, ada, bob, func(id string) {
		for _, frame := range []string{
			``, `{`, `[]`, `null`, `"play"`, `{"type":1}`, `{"type":"play","turn":"x"}`,
			`{"type":"moved","game":"` + id + `"}`,
			`{"type":"play","game":{"a":1}}`, strings.Repeat("[", 10000), "{\"type\":\"chat\",\"text\":\"\xff\"}",
			`{"type":"challenge","rules":"havannah","options":` + strings.Repeat("[", 5000) + strings.Repeat("]",
				5000) + `}`,
		} {
			eve.raw(websocket.TextMessage, []byte(frame))
			if e := want[wire.Error](eve); e.Code == wire.Internal {
				t.Errorf("%.40q: %v", frame, e)
			}
		}
	})
	eve.must(&wire.Chat{Text: "still here"})
}

// Oversize and binary messages end the connection of their sender.
func TestWrongMessages(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	big := join(t, h, "big")
	// Just over the limit, so that it is written before the server has closed.
	limit := big.hello.Limits.Message
	big.raw(websocket.TextMessage, []byte(`{"type":"chat","text":"`+strings.Repeat("x", limit)+`"}`))
	if code := big.closed(); code != websocket.CloseMessageTooBig {
		t.Errorf("oversize: closed with %d", code)
	}
	binary := join(t, h, "binary")
	binary.raw(websocket.BinaryMessage, []byte(`{"type":"ping","at":1}`))
	if code := binary.closed(); code != websocket.CloseUnsupportedData {
		t.Errorf("binary: closed with %d", code)
	}
	undisturbed(t, h, ada, bob, func(string) {})
}

// Wrong tokens and versions, a second hello, and no hello at all.
func TestWrongHellos(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Hello = 100 * time.Millisecond })
	ada := join(t, h, "ada")
	for _, c := range []struct {
		hello wire.Message
		code  string
	}{
		{&wire.Hello{Version: 1, Token: ada.token + "0"}, wire.BadToken},
		{&wire.Hello{Version: 1, Token: strings.Repeat("x", 1000)}, wire.BadToken},
		{&wire.Hello{Version: 1, Token: "gb_' OR 1=1 --"}, wire.BadToken},
		{&wire.Hello{Version: 2, Token: ada.token}, wire.BadVersion},
		{&wire.Hello{Version: 1, Name: "ADA"}, wire.BadName},
		{&wire.Hello{Version: 1, Name: "random"}, wire.BadName}, // the server's
		{&wire.Hello{Version: 1, Name: "<script>alert(1)</script>"}, wire.BadName},
		{&wire.Hello{Version: 1, Name: "x"}, wire.BadName},
		{&wire.Resign{Game: "g"}, wire.HelloFirst},
	} {
		p := dial(t, h)
		p.refused(c.hello, c.code)
		if code := p.closed(); code != websocket.ClosePolicyViolation {
			t.Errorf("%+v: closed with %d", c.hello, code)
		}
	}
	dial(t, h).closed() // closed for saying no hello in time
	ada.refused(&wire.Hello{Version: 1, Token: ada.token}, wire.HelloFirst)
}

// Moves out of turn, after the end, and for games of others or of no player.
func TestForgedMoves(t *testing.T) {
	h := start(t, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	var last string
	undisturbed(t, h, ada, bob, func(id string) {
		last = id
		for turn := -1; turn < 6; turn++ {
			eve.refused(&wire.Play{Game: id, Turn: turn, Move: "b2"}, wire.NotYours)
		}
		eve.refused(&wire.Resign{Game: id}, wire.NotYours)
		eve.refused(&wire.Abort{Game: id}, wire.NotYours)
		eve.refused(&wire.Offer{Game: id, Offer: "draw"}, wire.NotYours)
		eve.refused(&wire.Analysis{Game: id}, wire.NotYours)
		eve.refused(&wire.Chat{Game: id, Text: "psst"}, wire.NotYours) // does not watch
		for _, forged := range []string{"", "g", id + "x", "' OR 1=1 --", "../" + id, strings.Repeat("g", 5000)} {
			eve.refused(&wire.Play{Game: forged, Turn: 0, Move: "a1"}, wire.NotFound)
			eve.refused(&wire.Watch{Game: forged}, wire.NotFound)
		}
	})
	ada.refused(&wire.Play{Game: last, Turn: 5, Move: "b2"}, wire.GameOver)
	bob.refused(&wire.Play{Game: last, Turn: 0, Move: "a1"}, wire.GameOver)
	bob.refused(&wire.Offer{Game: last, Offer: "takeback"}, wire.GameOver)
}

// Nobody gains time: an offer, a refused move and a reconnect leave the clock
// running, and a move after its end is too late.
func TestClockGames(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{Clock: wire.Clock{Main: 300, PerMove: 50}})
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	since := ada.state(id).Time.Since[0]
	ada.must(&wire.Offer{Game: id, Offer: "draw"})
	ada.refused(&wire.Play{Game: id, Turn: 2, Move: "a1"}, wire.Illegal)
	ada.ws.Close()
	ada = ada.again(h)
	if now := want[wire.Game](ada); now.Result == nil && (now.Time.Since[0] != since || !now.Time.Running[0]) {
		t.Errorf("the clock was started again: %+v", now.Time)
	}
	want[wire.Over](ada)
	ada.refused(&wire.Play{Game: id, Turn: 2, Move: "b2"}, wire.GameOver)
}

// An account that floods the chat is stopped, however many connections it has, before its
// lines crowd out those of others.
func TestChatFlood(t *testing.T) {
	h := start(t, nil)
	ada, eve := join(t, h, "ada"), join(t, h, "eve")
	tabs := []*peer{eve, eve.again(h)}
	heard := 0
	for i := range 100 {
		switch _, err := tabs[i%2].ask(&wire.Chat{Text: "x"}); {
		case err == nil:
			heard++
		case err.Code != wire.TooFast || err.Retry <= 0:
			t.Fatal(err)
		}
	}
	if heard < 10 || heard > 50 {
		t.Errorf("%d of 100 lines were sent", heard)
	}
	ada.must(&wire.Chat{Text: "is anybody here?"})
}

// Nor does an account flood a player with challenges that it cancels.
func TestChallengeFlood(t *testing.T) {
	h := start(t, nil)
	ada, eve := join(t, h, "ada"), join(t, h, "eve")
	tabs := []*peer{eve, eve.again(h), eve.again(h)}
	made := 0
	for i := range 200 {
		tab := tabs[i%len(tabs)]
		switch ack, err := tab.ask(&wire.Challenge{Rules: "havannah", To: "ada"}); {
		case err == nil:
			made++
			tab.must(&wire.Cancel{Challenge: ack.Challenge})
		case err.Code != wire.TooFast || err.Retry <= 0:
			t.Fatal(err)
		}
	}
	if made < 64 || made > 150 {
		t.Errorf("%d of 200 challenges were made", made)
	}
	ada.must(&wire.Challenge{Rules: "havannah", To: "eve"})
}

// A client that sends too much is warned, then disconnected; others are served.
func TestFlood(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Rate, c.Limits.Burst = 20, 30 })
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	flooded := make(chan bool)
	go func() {
		defer close(flooded)
		for eve.ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"chat","text":"x"}`)) == nil {
		}
	}()
	undisturbed(t, h, ada, bob, func(string) {})
	if e := want[wire.Error](eve); e.Code != wire.TooFast || e.Retry <= 0 {
		t.Errorf("%+v", e)
	}
	eve.closed()
	<-flooded // a write fails
}

// A client that does not read is disconnected, and does not fill the memory.
func TestDeafClient(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Queue, c.Limits.Rate, c.Limits.Burst = 64<<10, 1e6, 1e6 })
	deafen(t, join(t, h, "eve"))
}

// Many of them do not fill it together, and others are served.
func TestDeafClients(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Limits.QueueAll, c.Limits.Queue, c.Limits.Rate, c.Limits.Burst = 256<<10, 1<<30, 1e6, 1e6
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	var deaf sync.WaitGroup
	for _, p := range []*peer{eve, eve.again(h), eve.again(h)} {
		deaf.Go(func() { deafen(t, p) })
	}
	deaf.Wait()
	undisturbed(t, h, ada, bob, func(string) {})
}

// deafen has a client ask without reading, until it is disconnected.
func deafen(t *testing.T, p *peer) {
	// Its buffer stays as it is: of one that is made smaller now Linux may drop all that
	// comes, the acknowledgements too, and both ends wait for minutes.
	frame := []byte(`{"type":"enter_lobby","on":true}`)
	for i := 0; ; i++ {
		p.ws.SetWriteDeadline(time.Now().Add(patience))
		err := p.ws.WriteMessage(websocket.TextMessage, frame)
		if late := net.Error(nil); errors.As(err, &late) && late.Timeout() {
			t.Error("who does not read is left waiting")
		}
		if err != nil {
			return
		}
		if i == 2000000 {
			t.Error("everything is kept for who does not read")
			return
		}
	}
}

// Pings and pongs count like messages.
func TestControlFrames(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Rate, c.Limits.Burst = 1, 1 })
	for _, kind := range []int{websocket.PingMessage, websocket.PongMessage} {
		p := join(t, h, fmt.Sprint("ada", kind))
		for range 1000 { // until the server closes the connection
			if p.ws.WriteControl(kind, nil, time.Now().Add(patience)) != nil {
				break
			}
		}
		p.closed()
	}
}

func TestConnectionLimits(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Connections, c.Limits.PerAccount = 3, 2 })
	ada := join(t, h, "ada")
	ada.again(h)
	p := dial(t, h)
	p.refused(&wire.Hello{Version: 1, Token: ada.token}, wire.TooMany)
	p.closed()
	late := dial(t, h)
	join(t, h, "bob")
	ws, resp, err := websocket.DefaultDialer.Dial(h.url, nil)
	if err == nil {
		ws.Close()
		t.Error("it takes more connections than all may have")
	} else if resp == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Error(err)
	}
	late.refused(&wire.Hello{Version: 1, Name: "eve"}, wire.TooMany)
	late.closed()
	if names := get(t, h, "/players/eve", ""); names != "404" {
		t.Error("a connection that was refused has made an account")
	}
}

// Connections that stay silent make room for others, the oldest first, and never for those that
// have said hello.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Newcomers = 2 })
	ada := join(t, h, "ada")
	silent := []*peer{dial(t, h), dial(t, h), dial(t, h)}
	if code := silent[0].closed(); code != websocket.CloseTryAgainLater {
		t.Errorf("the oldest is closed with %d", code)
	}
	for i, p := range silent[1:] {
		p.greet(&wire.Hello{Version: 1, Name: []string{"bob", "eve"}[i]})
	}
	ada.must(&wire.EnterLobby{})
}

// Pages of other origins and names that lead here are refused.
func TestCrossOrigin(t *testing.T) {
	h := start(t, nil)
	host := strings.TrimPrefix(h.web.URL, "http://")
	for _, c := range []struct {
		origin, host string
		status       int
	}{
		{"http://" + host, host, http.StatusSwitchingProtocols},
		{"", host, http.StatusSwitchingProtocols},
		{"http://evil.example", host, http.StatusForbidden},
		{"null", host, http.StatusForbidden},
		{"http://" + host + ".evil.example", host, http.StatusForbidden},
		{"http://evil.example", "evil.example", http.StatusForbidden}, // a name of its own for this machine
	} {
		header := http.Header{"Host": {c.host}}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		ws, resp, err := websocket.DefaultDialer.Dial(h.url, header)
		if resp == nil || resp.StatusCode != c.status {
			t.Errorf("origin %q, host %q: %v, want %d", c.origin, c.host, err, c.status)
		}
		if err == nil {
			ws.Close()
		}
	}
}

// Script in chat and tags is text; characters that break or reverse lines are
// taken out.
func TestScript(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{Tag: `"><script>`})
	ada.must(&wire.Chat{Game: id, Text: "<img src=x onerror=alert(1)>\u202e\x00\r\n" + strings.Repeat("é", 1000)})
	s := want[wire.Said](bob)
	if !strings.HasPrefix(s.Text, "<img src=x onerror=alert(1)> ") || strings.ContainsAny(s.Text, "\u202e\x00\r\n") ||
		len([]rune(s.Text)) > 300 {
		t.Errorf("%q", s.Text)
	}
	if frame, err := wire.Encode(0, s); err != nil || strings.Contains(string(frame), "<") {
		t.Errorf("markup goes over the wire as it is: %s", frame)
	}
	ada.must(&wire.Resign{Game: id})
	r, err := http.Get(h.web.URL + "/records/" + id + ".json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Content-Type") != "application/json" ||
		!strings.HasPrefix(r.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%v", r.Header)
	}
}

// plainSocket is a client of RFC 6455 by this test alone, without the library that the server has, too.
type plainSocket struct {
	net.Conn
	in *bufio.Reader
}

// dialPlainly opens a websocket by hand. The key and its answer are the RFC's example.
func dialPlainly(t *testing.T, url string) *plainSocket {
	t.Helper()
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "ws://"), "/")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "GET /%s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", path, host)
	s := &plainSocket{conn, bufio.NewReader(conn)}
	r, err := http.ReadResponse(s.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept := r.Header.Get("Sec-WebSocket-Accept"); r.StatusCode != http.StatusSwitchingProtocols ||
		accept != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" || r.Header.Get("Sec-WebSocket-Extensions") != "" {
		t.Fatalf("%s, %v", r.Status, r.Header)
	}
	return s
}

// Kinds of frames.
const (
	textFrame  = 1
	closeFrame = 8
	pingFrame  = 9
	pongFrame  = 10
)

// write sends a frame, which clients mask.
func (s *plainSocket) write(t *testing.T, kind byte, payload []byte) {
	t.Helper()
	frame := []byte{0x80 | kind}
	if n := len(payload); n < 126 {
		frame = append(frame, 0x80|byte(n))
	} else {
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	}
	mask := [4]byte{0x37, 0xfa, 0x21, 0x3d}
	frame = append(frame, mask[:]...)
	for i, b := range payload {
		frame = append(frame, b^mask[i%4])
	}
	if _, err := s.Write(frame); err != nil {
		t.Fatal(err)
	}
}

// read returns the next message, in as many frames as the server likes, and answers pings.
func (s *plainSocket) read(t *testing.T) (kind byte, message []byte) {
	t.Helper()
	for {
		var head [2]byte
		if _, err := io.ReadFull(s.in, head[:]); err != nil {
			t.Fatal(err)
		}
		n := uint64(head[1])
		if head[0]&0x70 != 0 || n > 127 {
			t.Fatalf("a frame begins with %x: it is masked, or of an extension that nobody asked for", head)
		}
		if n >= 126 {
			var long [8]byte
			size := 2 + 6*(n-126)
			if _, err := io.ReadFull(s.in, long[8-size:]); err != nil {
				t.Fatal(err)
			}
			n = binary.BigEndian.Uint64(long[:])
		}
		payload := make([]byte, min(n, 1<<20))
		if _, err := io.ReadFull(s.in, payload); err != nil {
			t.Fatal(err)
		}
		switch k := head[0] & 0xf; k {
		case pingFrame:
			s.write(t, pongFrame, payload)
			continue
		case 0: // continues the message
		default:
			kind = k
		}
		if message = append(message, payload...); head[0]&0x80 != 0 {
			return kind, message
		}
	}
}

// A client without any library, of websockets or of this project, plays a whole game.
func TestPlainSocket(t *testing.T) {
	ws := dialPlainly(t, start(t, nil).url)
	say := func(format string, args ...any) { ws.write(t, textFrame, fmt.Appendf(nil, format, args...)) }
	say(`{"type":"hello","version":1,"name":"plain","views":true}`)
	say(`{"type":"challenge","rules":"havannah","options":{"side":4},"clock":{"main":60000,"increment":0,` +
		`"per_move":0},"to":"random","seat":"first"}`)
	for {
		kind, frame := ws.read(t)
		if kind != textFrame {
			t.Fatalf("a message of kind %d: %q", kind, frame)
		}
		// Read as a stranger would, without this project's types.
		var m struct {
			Type, Game, Code string
			Turn             int
			ToMove           []int `json:"to_move"`
			View             struct{ Legal []string }
			Result           struct{ How string }
		}
		if err := json.Unmarshal(frame, &m); err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Type == "error":
			t.Fatalf("%s", frame)
		case m.Type == "over":
			if m.Result.How == "" || m.Result.How == "time" {
				t.Errorf("%s", frame)
			}
			normally := binary.BigEndian.AppendUint16(nil, 1000)
			ws.write(t, closeFrame, normally)
			for kind != closeFrame {
				kind, frame = ws.read(t)
			}
			if !bytes.Equal(frame, normally) {
				t.Errorf("closed with %x, not with what was sent", frame)
			}
			return
		case (m.Type == "game" || m.Type == "moved") && len(m.ToMove) == 1 && m.ToMove[0] == 0:
			if m.Type == "moved" {
				m.Turn++
			}
			say(`{"type":"play","id":%d,"game":%q,"turn":%d,"move":%q}`,
				m.Turn+10, m.Game, m.Turn, m.View.Legal[len(m.View.Legal)/2])
		}
	}
}
