package extensive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gamebots/internal/memory"
)

// Families lists the shipped games by what their names begin with, with the numbers that may follow: as in
// liars-dice-6.
var Families = []Family{
	{"liars-dice", "liar's dice", "sides of a die", 8, func(n int) (*Game, error) {
		return Build(fmt.Sprintf("liar's dice with %d sides", n), gamePlayers, liarsDice{n})
	}},
	{"goofspiel", "goofspiel", "cards", maxCards, func(n int) (*Game, error) {
		return Build(fmt.Sprintf("goofspiel with %d cards", n), gamePlayers, goofspiel{n})
	}},
}

// A Family has a game for each number from 1 to Most.
type Family struct {
	Name, Game, Number string
	Most               int
	build              func(n int) (*Game, error)
}

// Title says what the games are, and which numbers their names may have.
func (f Family) Title() string {
	return fmt.Sprintf("%s, for N from 1 to %d %s (extensive game)", f.Game, f.Most, f.Number)
}

var gamePlayers = []string{"first", "second"}

// Open returns the game of a name, or of a file in Gambit's format. It is nil for all others.
func Open(nameOrFile string) (*Game, error) {
	g, err := Named(nameOrFile)
	if g != nil || err != nil {
		return g, err
	}
	file, err := os.Open(nameOrFile)
	if filepath.Ext(nameOrFile) == ".efg" && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", nameOrFile, errors.Unwrap(err))
	}
	if err != nil {
		return nil, nil //nolint:nilerr // it may be the name of another game
	}
	defer file.Close()
	start := make([]byte, 64)
	n, _ := io.ReadFull(file, start)
	if !IsEFG(start[:n]) {
		return nil, nil
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > MaxBytes:
		return nil, fmt.Errorf("%s is larger than %s", nameOrFile, memory.Bytes(MaxBytes))
	}
	return Read(nameOrFile, append(start[:n], text...))
}

// Named returns the shipped game of a name, or nil if no family has it, as for files such as liars-dice-3.efg. A number
// that its family does not have is an error.
func Named(name string) (*Game, error) {
	for _, f := range Families {
		text, ok := strings.CutPrefix(name, f.Name)
		if !ok || text != "" && text[0] != '-' || strings.Contains(text, ".") {
			continue
		}
		n, err := strconv.Atoi(strings.TrimPrefix(text, "-"))
		if err != nil || n < 1 || n > f.Most {
			return nil, fmt.Errorf("%s: want %s-N with a number of %s up to %d, as in %s-4", name, f.Name, f.Number,
				f.Most, f.Name)
		}
		return f.build(n)
	}
	return nil, nil
}
