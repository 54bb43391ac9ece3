package sites

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/internal/usererr"
)

// Log keeps finished hands in a file: as PHH if its name ends so, otherwise as a dealer's log. The zero value keeps
// none.
type Log struct {
	Path    string
	Replace bool // Continue does not look at the file, which the first hand replaces

	file *os.File
	phh  history.PHHWriter
}

// Add adds a hand. The first one replaces a file of the log's name, unless the log continues it.
func (l *Log) Add(h *history.Hand) (err error) {
	if l.Path == "" {
		return nil
	}
	if l.file == nil {
		if l.file, err = os.Create(l.Path); err != nil {
			return err
		}
	}
	text, err := l.text(h)
	if err == nil {
		_, err = l.file.Write(text)
	}
	return err
}

// Close closes the file.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// maxHand is more bytes than a hand takes in a log.
const maxHand = 1 << 12

// text returns the next hand as it is in the file.
func (l *Log) text(h *history.Hand) ([]byte, error) {
	if history.IsPHH(l.Path) {
		return l.phh.Append(nil, h)
	}
	return h.AppendLog(nil), nil
}

// Continue opens the file, if it is there, calls seen with each of its hands and the player's position in it, and
// removes what a killed program left of one. Add then adds to them. Hands of others, or other text, are an error.
func (l *Log) Continue(
	g *acpc.Game, player, opponent string, seen func(h *history.Hand, position int),
) error {
	if l.Path == "" || l.Replace {
		return nil
	}
	data, err := os.ReadFile(l.Path)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(data) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	next := history.NewLogReader(bytes.NewReader(data), l.Path, g).Next
	if history.IsPHH(l.Path) {
		next = history.NewPHHReader(bytes.NewReader(data), l.Path).Next
	}
	whole := 0
	for h, err := next(); err == nil; h, err = next() {
		h.After = nil // comments of a hand that was not written whole
		before := l.phh
		text, err := l.text(h)
		if err != nil || !bytes.HasPrefix(data[whole:], text) {
			l.phh = before
			break
		}
		whole += len(text)
		position := slices.Index(h.Names, player)
		if position < 0 || h.Names[1-position] != opponent {
			err := fmt.Errorf("%s: hand %d is not one of %s and %s", l.Path, h.HandID, player, opponent)
			return usererr.WithHint(err, "give another file")
		}
		seen(h, position)
	}
	if whole == 0 || len(data)-whole > maxHand {
		return usererr.WithHint(fmt.Errorf("%s: is not a log of such a match", l.Path), "give another file")
	}
	l.file, err = os.OpenFile(l.Path, os.O_WRONLY, 0)
	if err == nil {
		err = l.file.Truncate(int64(whole))
	}
	if err == nil {
		_, err = l.file.Seek(0, io.SeekEnd)
	}
	return err
}
