package server

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

func TestSmallest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, maxListed - 1, maxListed, maxListed + 1, 3000} {
		all := random.Perm(n)
		sorted := slices.Sorted(slices.Values(all))
		if got := smallest(all, cmp.Compare); !slices.Equal(got, sorted[:min(n, maxListed)]) {
			t.Errorf("of %d: %v", n, got)
		}
	}
}

// A list has some entries of each account, and the first of all before the second of any.
func TestPick(t *testing.T) {
	accounts := map[byte]*account{}
	of := func(players string) []*account {
		var all []*account
		for _, name := range []byte(players) {
			if accounts[name] == nil {
				accounts[name] = newAccount(string(name), false, 0, newStrength())
			}
			all = append(all, accounts[name])
		}
		return all
	}
	of("@")[0].builtin = &engines.Bot{}
	var crowd []string
	for i := range 3 * maxListed {
		crowd = append(crowd, string(byte('a'+i%20)))
	}
	alone := func(names string) (all []string) {
		for _, name := range names {
			all = append(all, string(name))
		}
		return all
	}
	share := strings.Repeat("a", maxShare)
	for name, c := range map[string]struct {
		all  []string
		from int // the last ones
		want []string
	}{
		"all":           {alone("abab"), 4, alone("abab")},
		"share":         {alone(share + "aaba"), 12, alone(share + "b")},
		"both players":  {append(alone(share), "ab", "bc"), 10, append(alone(share), "bc")},
		"server's bots": {slices.Repeat([]string{"@"}, 20), 20, slices.Repeat([]string{"@"}, 20)},
		"the first of all come before the second of any": {
			append(slices.Repeat([]string{"@"}, maxListed-1), "b", "b", "b"), maxListed + 2,
			append(slices.Repeat([]string{"@"}, maxListed-1), "b"),
		},
		"the last ones are left out first": {
			append([]string{"b"}, slices.Repeat([]string{"@"}, maxListed)...), 1,
			append([]string{"b"}, slices.Repeat([]string{"@"}, maxListed-1)...),
		},
		"a crowd": {crowd, len(crowd), crowd[:maxListed]},
	} {
		if got := pick(c.all, c.from, of); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// newLobby returns a lobby with connections that follow it.
func newLobby(readers ...*lobbyReader) (*lobby, []*conn) {
	l := &lobby{
		core: &core{}, conns: map[*conn]bool{}, games: &games{},
		listing: listing{readers: map[*conn]*lobbyReader{}},
	}
	var conns []*conn
	for i, r := range readers {
		c := &conn{account: newAccount(fmt.Sprintf("Client%d", i), false, 0, newStrength())}
		l.conns[c], l.listing.readers[c] = true, r
		conns = append(conns, c)
	}
	return l, conns
}

// Connections are told of changes or of the whole lobby; of the whole lobby, too, once they have
// read what they had not read.
func TestReadersOfTheLobby(t *testing.T) {
	long := time.Now().Add(-time.Hour)
	l, conns := newLobby(
		&lobbyReader{changes: true, sent: long}, &lobbyReader{changes: true, sent: long},
		&lobbyReader{sent: long}, &lobbyReader{sent: time.Now().Add(time.Hour)})
	quick, slow, older, again := conns[0], conns[1], conns[2], conns[3]
	slow.size.Store(maxBehind + 1)
	told := func(want map[*conn]string) {
		t.Helper()
		var tx transaction
		l.refresh(&tx)
		l.listing.timer.Stop()
		got := map[*conn]string{}
		for _, d := range tx.out {
			_, m, err := wire.FromServer.Decode(d.frame.text)
			if err != nil {
				t.Fatal(err)
			}
			got[d.to] += wire.Type(m)
		}
		for i, c := range conns {
			if got[c] != want[c] {
				t.Errorf("connection %d is told %q, want %q", i, got[c], want[c])
			}
		}
	}
	changed := func() {
		c := &conn{account: newAccount(fmt.Sprint("New", len(l.conns)), false, 0, newStrength())}
		l.conns[c] = true
	}
	told(map[*conn]string{quick: "lobby_changed", older: "lobby"})
	told(nil) // nothing has changed
	changed()
	told(map[*conn]string{quick: "lobby_changed"})
	slow.size.Store(0)
	l.listing.readers[older].sent = long
	told(map[*conn]string{slow: "lobby", older: "lobby"})
	changed()
	l.listing.readers[again].sent = long
	told(map[*conn]string{quick: "lobby_changed", slow: "lobby_changed", again: "lobby"})
}

// BenchmarkLobby measures how long the lock is held with many accounts in the lobby, and many games.
func BenchmarkLobby(b *testing.B) {
	l, conns := newLobby(make([]*lobbyReader, 5000)...)
	l.games.tables = map[string]*table{}
	for i := range 2000 {
		t := &table{core: l.core, record: record{row: int64(i), moved: date()}}
		for _, c := range conns[2*i : 2*i+2] {
			c.account.conns[c] = true
			t.seats = append(t.seats, c.account)
		}
		l.games.tables[fmt.Sprint(i)] = t
	}
	for b.Loop() {
		l.list()
	}
}

type plain struct{ game.Rules }

func (plain) About() wire.Rules { return wire.Rules{Name: "plain"} }

// Clients are told no null: the page reads the options of a game that has none, too.
func TestDescribePlainRules(t *testing.T) {
	if about := describe(plain{}, nil); about.Options == nil || about.Bots == nil {
		t.Errorf("%+v", about)
	}
}
