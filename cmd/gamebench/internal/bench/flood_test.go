package bench

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/matrix"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
)

// The honest client is served during each flood.
func TestFlood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := server.New(server.Config{
		Database: path, Open: true, Loopback: true,
		Rules: []game.Rules{havannahbot.Rules{}, matrix.Rules, boards.Nim{}},
		Bots:  []engines.Bot{{Name: "random", Rules: []string{"havannah"}, Bot: havannahbot.Bot(havannahbot.Random{})}},
	})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	load := hexprotoLoad{connections: 4, games: 2, side: 4, turns: 4, every: 20 * time.Millisecond}
	rows := map[string]int{}
	address := "ws" + strings.TrimPrefix(web.URL, "http") + "/ws"
	err = load.underFloods(t.Context(), address, func(r Row) {
		if r.Value <= 0 {
			t.Errorf("%v", r)
		}
		rows[r.Case]++
	})
	if err != nil {
		t.Error(err)
	}
	for _, attack := range attacks {
		if rows[attack.name] != 5 {
			t.Errorf("%s: %d figures", attack.name, rows[attack.name])
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	web.CloseClientConnections()
	web.Close()
}
