package wire

// Lobby lists open challenges, running games and connected players, or a part of them if there are
// many. It replaces the last one.
type Lobby struct {
	Challenges []Challenged `json:"challenges"` // the newest first
	Games      []Brief      `json:"games"`      // the newest first, and idle ones last
	Players    []Player     `json:"players"`    // players that are connected, by name
	Connected  int          `json:"connected"`
	Running    int          `json:"running"`
}

// LobbyChanged is what has changed in the lobby since the last Lobby or LobbyChanged.
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
