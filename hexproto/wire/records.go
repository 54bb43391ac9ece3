package wire

// Summary counts finished games from the view of a player. It answers
// /records/summary.
type Summary struct {
	Games   int `json:"games"`
	Won     int `json:"won"`
	Lost    int `json:"lost"`
	Drawn   int `json:"drawn"`
	Aborted int `json:"aborted"`
}

// Profile describes an account. It answers /players/NAME.
type Profile struct {
	Name   string       `json:"name"`
	Bot    bool         `json:"bot,omitempty"`
	Since  int64        `json:"since"` // when the account was made
	Online bool         `json:"online"`
	Kinds  []KindRecord `json:"kinds"` // those with games, most games first
	Games  []Brief      `json:"games"` // the last ones, newest first
}

// Invitation is a private challenge to whoever has its id, who needs no account to see it. It
// answers /invitations/ID.
type Invitation struct {
	Title     string     `json:"title"`            // title of the rules
	Hidden    bool       `json:"hidden,omitempty"` // as in Rules
	Positions []string   `json:"positions,omitempty"`
	Challenge Challenged `json:"challenge"` // with options as in a list
}

// KindRecord is an account's rating in one kind of game, and its results there. Won, lost
// and drawn count casual games, too.
type KindRecord struct {
	Kind string `json:"kind"`
	Rating
	Won     int           `json:"won"`
	Lost    int           `json:"lost"`
	Drawn   int           `json:"drawn"`
	History []RatingPoint `json:"history"` // one a day with rated games, oldest first
}

// RatingPoint is a rating at the end of a day.
type RatingPoint struct {
	At        int64 `json:"at"` // the start of the day in UTC
	Rating    int   `json:"rating"`
	Deviation int   `json:"deviation"`
}
