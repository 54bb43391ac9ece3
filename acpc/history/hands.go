package history

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"gamebots/acpc"
)

// IsPHH reports whether a file has the name of a PHH file.
func IsPHH(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".phh", ".phhs", ".toml":
		return true
	}
	return false
}

// OtherGameError is the error for a record that cannot be read as one of a game.
type OtherGameError struct {
	Game string
	err  error
}

func (e *OtherGameError) Error() string { return e.err.Error() }
func (e *OtherGameError) Unwrap() error { return e.err }

// Hint returns advice for the user.
func (e *OtherGameError) Hint() string { return "is it a record of " + e.Game + "?" }

// Hands returns the hands of files, one after the other, as those of a game: of PHH files by their names, and of
// dealers' logs. It ends with the first error, which is an [*OtherGameError] unless a file cannot be opened.
func Hands(files []string, g *acpc.Game) iter.Seq2[*Hand, error] {
	return func(yield func(*Hand, error) bool) {
		for _, file := range files {
			if !eachHand(file, g, yield) {
				return
			}
		}
	}
}

// eachHand yields the hands of a file, and reports whether more are wanted.
func eachHand(file string, g *acpc.Game, yield func(*Hand, error) bool) (more bool) {
	in, err := os.Open(file)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer in.Close()
	var hands interface{ Next() (*Hand, error) } = NewLogReader(in, file, g)
	if IsPHH(file) {
		hands = NewPHHReader(in, file)
	}
	for {
		hand, err := hands.Next()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err == nil {
			if hand, err = hand.In(g); err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
		}
		if err != nil {
			yield(nil, &OtherGameError{g.Name, err})
			return false
		}
		if !yield(hand, nil) {
			return false
		}
	}
}
