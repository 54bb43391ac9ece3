package server_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/wire"
)

// apply applies changes to the lobby that they are of, as the page does.
func apply(l *wire.Lobby, c *wire.LobbyChanged) {
	l.Challenges = applied(l.Challenges, c.Challenges, c.Gone, func(c wire.Challenged) string { return c.Challenge })
	l.Games = applied(l.Games, c.Games, c.Gone, func(b wire.Brief) string { return b.Game })
	for _, p := range c.Progress {
		if i := slices.IndexFunc(l.Games, func(b wire.Brief) bool { return b.Game == p.Game }); i >= 0 {
			l.Games[i].Turn, l.Games[i].Hand = p.Turn, p.Hand
		}
	}
	slices.SortStableFunc(l.Games, func(a, b wire.Brief) int {
		if a.Idle != b.Idle {
			return map[bool]int{true: 1, false: -1}[a.Idle]
		}
		return cmp.Compare(b.Started, a.Started)
	})
	l.Players = applied(l.Players, c.Players, c.Left, func(p wire.Player) string { return p.Name })
	slices.SortFunc(l.Players, func(a, b wire.Player) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	l.Connected, l.Running = c.Connected, c.Running
}

// applied returns rows without those that are gone, and with changed ones in their places. New ones
// come first.
func applied[T any](rows, changes []T, gone []string, key func(T) string) []T {
	known, byKey := map[string]bool{}, map[string]T{}
	for _, r := range rows {
		known[key(r)] = true
	}
	all := []T{}
	for _, r := range changes {
		if byKey[key(r)] = r; !known[key(r)] {
			all = append(all, r)
		}
	}
	for _, r := range rows {
		if slices.Contains(gone, key(r)) {
			continue
		}
		if c, ok := byKey[key(r)]; ok {
			r = c
		}
		all = append(all, r)
	}
	return all
}

func TestApply(t *testing.T) {
	const lobby = `{"challenges":[{"challenge":"c2"},{"challenge":"c1"}],
		"games":[{"game":"g2","started":2},{"game":"g1","started":1,"turn":4}],
		"players":[{"name":"ada"},{"name":"bob"}],"connected":3,"running":2}`
	for name, c := range map[string]struct{ changes, want string }{
		"counts": {`{"connected":4,"running":2}`, "[c2 c1] [g2:0 g1:4] [ada bob] 4 2"},
		"new": {`{"challenges":[{"challenge":"c4"},{"challenge":"c3"}],"games":[{"game":"g3","started":3}],
			"players":[{"name":"Abe"},{"name":"cleo"}]}`, "[c4 c3 c2 c1] [g3:0 g2:0 g1:4] [Abe ada bob cleo] 0 0"},
		"in their places": {`{"challenges":[{"challenge":"c1","joined":[{"name":"eve"}]}],
			"players":[{"name":"bob","rating":9}]}`, "[c2 c1+eve] [g2:0 g1:4] [ada bob9] 0 0"},
		"gone":     {`{"gone":["c2","g1"],"left":["ada"]}`, "[c1] [g2:0] [bob] 0 0"},
		"all gone": {`{"gone":["c2","c1","g1","g2"],"left":["ada","bob"]}`, "[] [] [] 0 0"},
		"progress": {`{"progress":[{"game":"g2","turn":7},{"game":"g9","turn":1}]}`,
			"[c2 c1] [g2:7 g1:4] [ada bob] 0 0"},
		"idle last":     {`{"games":[{"game":"g2","started":2,"idle":true}]}`, "[c2 c1] [g1:4 g2:0] [ada bob] 0 0"},
		"again in play": {`{"games":[{"game":"g1","started":1}]}`, "[c2 c1] [g2:0 g1:0] [ada bob] 0 0"},
	} {
		var l wire.Lobby
		var changes wire.LobbyChanged
		for text, into := range map[string]any{lobby: &l, c.changes: &changes} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		apply(&l, &changes)
		if got := inWords(&l); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// inWords writes a lobby in short.
func inWords(l *wire.Lobby) string {
	var challenges, games, players []string
	for _, c := range l.Challenges {
		text := c.Challenge
		for _, p := range c.Joined {
			text += "+" + p.Name
		}
		challenges = append(challenges, text)
	}
	for _, g := range l.Games {
		games = append(games, fmt.Sprintf("%s:%d", g.Game, g.Turn))
	}
	for _, p := range l.Players {
		text := p.Name
		if p.Rating > 0 {
			text += fmt.Sprint(p.Rating)
		}
		players = append(players, text)
	}
	return fmt.Sprint(challenges, games, players, l.Connected, l.Running)
}
