package wire

import (
	"cmp"
	"slices"
	"strings"
)

// Lobby lists open challenges, running games and connected players, or a part of them if there are
// many. It replaces the last one.
type Lobby struct {
	Challenges []Challenged `json:"challenges"` // the newest first
	Games      []Brief      `json:"games"`      // the newest first, and idle ones last
	Players    []Player     `json:"players"`    // players that are connected, by name
	Connected  int          `json:"connected"`
	Running    int          `json:"running"`
}

// LobbyChanged is what has changed in the lobby since the last Lobby or LobbyChanged. Lobby.Apply
// applies it.
type LobbyChanged struct {
	Challenges []Challenged `json:"challenges,omitempty"` // new ones, and those that have changed
	Games      []Brief      `json:"games,omitempty"`      // likewise, unless only their Progress has
	Players    []Player     `json:"players,omitempty"`    // likewise
	Progress   []Progress   `json:"progress,omitempty"`   // how far games have come that were listed before
	Gone       []string     `json:"gone,omitempty"`       // ids of challenges and games that are listed no more
	Left       []string     `json:"left,omitempty"`       // names of players that are listed no more
	Connected  int          `json:"connected"`
	Running    int          `json:"running"`
}

// Progress is how far a game has come, as a list shows it.
type Progress struct {
	Game string     `json:"game"`
	Turn int        `json:"turn"`
	Hand *PokerHand `json:"hand,omitempty"`
}

// PokerHand is the hand that is played in a match of poker, as a list shows it.
type PokerHand struct {
	Number int    `json:"number"` // from 1
	Of     int    `json:"of"`     // hands of the match
	Street string `json:"street"` // such as "flop"
	Pot    int64  `json:"pot"`    // chips
}

// Apply applies changes to the lobby that they are of.
func (l *Lobby) Apply(c *LobbyChanged) {
	l.Challenges = changed(l.Challenges, c.Challenges, c.Gone, func(c Challenged) string { return c.Challenge })
	l.Games = changed(l.Games, c.Games, c.Gone, func(b Brief) string { return b.Game })
	for _, p := range c.Progress {
		if i := slices.IndexFunc(l.Games, func(b Brief) bool { return b.Game == p.Game }); i >= 0 {
			l.Games[i].Turn, l.Games[i].Hand = p.Turn, p.Hand
		}
	}
	slices.SortStableFunc(l.Games, func(a, b Brief) int {
		if a.Idle != b.Idle {
			return map[bool]int{true: 1, false: -1}[a.Idle]
		}
		return cmp.Compare(b.Started, a.Started)
	})
	l.Players = changed(l.Players, c.Players, c.Left, func(p Player) string { return p.Name })
	slices.SortFunc(l.Players, func(a, b Player) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	l.Connected, l.Running = c.Connected, c.Running
}

// changed returns rows without those that are gone, and with changed ones in their places. New ones
// come first.
func changed[T any](rows, changes []T, gone []string, key func(T) string) []T {
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
