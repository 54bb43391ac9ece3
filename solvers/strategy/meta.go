package strategy

import (
	"crypto/sha256"
	"strings"
)

// Meta describes a strategy and how it was made. It holds no time and no
// name of a machine: the same training gives the same file. In the file it is
// JSON; a reader ignores the fields that it does not know.
type Meta struct {
	Game        string `json:"game"`        // the game's usual name, such as "leduc"
	GameText    string `json:"game_text"`   // the game's definition in its one canonical form, UTF-8
	Abstraction string `json:"abstraction"` // how cards were told apart, such as "lossless"
	// Buckets is the card abstraction itself where its name does not say all of it, in the
	// format of package solvers/cfr/abstraction/buckets; not to be changed once written or
	// read.
	Buckets []byte `json:"buckets,omitempty"`
	// Actions is which raises the strategy knows, such as "fcpa"; "" is all.
	Actions string `json:"actions,omitempty"`
	// Rounds is how many rounds it has, the first ones of the game; 0 is all.
	Rounds int `json:"rounds,omitempty"`
	// Bits is how many bits a probability was rounded to, 1 to 8; 0 is not at all.
	Bits int `json:"bits,omitempty"`

	Algorithm string `json:"algorithm"` // the solver, such as "dcfr"
	// its parameters by name; not to be changed once written or read
	Params     map[string]float64 `json:"params,omitempty"`
	Seed       uint64             `json:"seed"`
	Iterations uint64             `json:"iterations"`

	// Exploitability is the average gain of the players, each by a best
	// response to the others, in chips a hand: NashConv divided by the number
	// of players, hence (b0+b1)/2 for two. It is nil when never measured.
	Exploitability *float64 `json:"exploitability"`
}

// GameHash identifies the game: the SHA-256 of GameText.
func (m Meta) GameHash() [sha256.Size]byte { return sha256.Sum256([]byte(m.GameText)) }

// firstDifference returns the first line, counted from 1, in which two texts
// differ, and that line of both: "" after the end of a text.
func firstDifference(a, b string) (line int, inA, inB string) {
	for a != b {
		line++
		inA, a, _ = strings.Cut(a, "\n")
		inB, b, _ = strings.Cut(b, "\n")
		if inA != inB {
			break
		}
	}
	return line, inA, inB
}
