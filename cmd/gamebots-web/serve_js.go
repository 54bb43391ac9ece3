package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"syscall/js"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/bots/registry"
	"gamebots/bots/spotstudy"
	"gamebots/cudalib"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/solvers/policy"

	"github.com/gorilla/websocket"
	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/serdes"
	"github.com/ncruces/go-sqlite3/vfs/memdb"
)

// The memory in bytes of bots and of games in all, and of a strategy's buckets.
const botMemory, gameMemory, bucketMemory = 256 << 20, 256 << 20, 1 << 30

// database is the name of the server's database in memory.
const database = "games.db"

// serve runs a server, and after each message "strategies" another with the files that came with
// it, too. They have the same database, so that games go on, those of the page before it was loaded again, too.
func serve() error {
	var before []byte
	if kept := js.Global().Get("keptGames"); kept.Truthy() {
		before = make([]byte, kept.Length())
		js.CopyBytesToGo(before, kept)
	}
	memdb.Create(database, before) // else it would go with the first server
	go keepGames()
	messages := listen()
	for m := <-messages; ; {
		if err := keep(m.Get("files")); err != nil {
			return err
		}
		var err error
		if m, err = serveUntil(messages); err != nil {
			return err
		}
	}
}

// networkTime is the time of a move of the bot "network". Its evaluations take a tenth of that on a server, and ten
// times as long in a browser.
const networkTime = 1500 * time.Millisecond

// keepInterval is how long a change of the database may wait until the browser stores it.
const keepInterval = 300 * time.Millisecond

// keepGames has the browser store the database whenever it has changed, so that a page that is loaded again goes on
// with it.
func keepGames() {
	err := func() error {
		db, err := sqlite3.Open("file:/" + database + "?vfs=memdb")
		if err != nil {
			return err
		}
		defer db.Close()
		version, _, err := db.Prepare("PRAGMA data_version")
		if err != nil {
			return err
		}
		defer version.Close()
		for last := int64(0); ; time.Sleep(keepInterval) {
			version.Step()
			now := version.ColumnInt64(0)
			if err := version.Reset(); err != nil || now == last {
				continue // it may be locked: the next time is soon
			}
			if data, err := serdes.Serialize(db, "main"); err == nil {
				last = now
				text := js.Global().Get("Uint8Array").New(len(data))
				js.CopyBytesToJS(text, data)
				js.Global().Call("keepGames", text)
			}
		}
	}()
	fmt.Println("games are not kept:", err)
}

// keep writes files of strategies to where the program looks for them.
func keep(files js.Value) error {
	folder := filepath.Join("configs", "strategies")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i := range files.Length() {
		game, file := files.Index(i).Get("game").String(), files.Index(i).Get("file")
		data := make([]byte, file.Length())
		js.CopyBytesToGo(data, file)
		if err := os.WriteFile(filepath.Join(folder, game+".strategy"), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// serveUntil serves until a message "strategies", and returns that.
func serveUntil(messages <-chan js.Value) (next js.Value, err error) {
	s, closeAll, err := start()
	defer closeAll()
	if err != nil {
		js.Global().Call("keepGames", nil) // they may be what is wrong
		return next, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := net.Listen("tcp", "127.0.0.1:0") // within this program
	if err != nil {
		return next, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, "", "") }()
	tell("serving", nil)
	next = forward(messages, l.Addr().String())
	cancel()
	return next, <-ended
}

// start returns a server with all bots that the program has.
func start() (s *server.Server, closeAll func(), err error) {
	opened, closeAll, err := registry.OpenPoker(nil, func(file string) (*policy.Policy, error) {
		return policy.Open(file, bucketMemory, phase("preparing cards"))
	})
	if err != nil {
		return nil, closeAll, err
	}
	poker, err := registry.Poker(opened)
	if err != nil {
		return nil, closeAll, err
	}
	network, err := registry.Net(boards.HavannahName)
	if err != nil {
		return nil, closeAll, err
	}
	bots := registry.Builtin(cudalib.Choice{}, botMemory, network)
	for i := range bots {
		if bots[i].Name == "network" {
			bots[i].Bot = havannahbot.Bot(havannahbot.Gumbel{Net: network, Time: networkTime, Memory: botMemory / 8})
			bots[i].Fixed, bots[i].Ratings = false, nil
			bots[i].About = "The network with a second and a half a move."
		}
	}
	s, err = server.New(server.Config{
		Database: "/" + database, Version: "gamebots", Open: true, Loopback: true,
		Rules:      slices.Concat(registry.Rules, poker.Rules),
		Bots:       slices.Concat(bots, poker.Bots),
		Strategies: poker.Library.Handler(), Spots: &spotstudy.Study{}, BotMemory: botMemory, GameMemory: gameMemory,
	})
	return s, closeAll, err
}

// forward answers the page's messages by a server at an address, until one that it returns.
func forward(messages <-chan js.Value, address string) (last js.Value) {
	sockets := map[int]*websocket.Conn{}
	defer func() {
		for _, ws := range sockets {
			ws.Close()
		}
	}()
	client := &http.Client{Transport: &http.Transport{DialContext: new(net.Dialer).DialContext}}
	for {
		m := <-messages
		if m.Get("kind").String() == "strategies" {
			return m
		}
		id := m.Get("id").Int()
		switch m.Get("kind").String() {
		case "open":
			ws, _, err := websocket.DefaultDialer.Dial("ws://"+address+"/ws", nil)
			if err != nil {
				tell("closed", map[string]any{"id": id})
				continue
			}
			sockets[id] = ws
			tell("opened", map[string]any{"id": id})
			go receive(ws, id)
		case "send":
			if ws := sockets[id]; ws != nil {
				_ = ws.WriteMessage(websocket.TextMessage, []byte(m.Get("text").String())) // receive sees the end
			}
		case "close":
			if ws := sockets[id]; ws != nil {
				ws.Close()
				delete(sockets, id)
			}
		case "get":
			go get(client, id, "http://"+address+"/"+m.Get("path").String(), m.Get("token").String())
		}
	}
}

// receive hands on what comes from a websocket.
func receive(ws *websocket.Conn, id int) {
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			tell("closed", map[string]any{"id": id})
			return
		}
		tell("message", map[string]any{"id": id, "text": string(text)})
	}
}

// get answers a request of the page.
func get(client *http.Client, id int, url, token string) {
	status, body, header := http.StatusInternalServerError, []byte(nil), http.Header{}
	err := func() error {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		reply, err := client.Do(r)
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		status, header = reply.StatusCode, reply.Header
		body, err = io.ReadAll(reply.Body)
		return err
	}()
	if err != nil {
		body = fmt.Append(nil, err)
	}
	headers := map[string]any{}
	for name := range header {
		headers[name] = header.Get(name)
	}
	text := js.Global().Get("Uint8Array").New(len(body))
	js.CopyBytesToJS(text, body)
	tell("reply", map[string]any{"id": id, "status": status, "headers": headers, "body": text})
}
