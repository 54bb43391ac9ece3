package arena

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Errors of openGameFile.
var (
	ErrNotRegular  = errors.New("is not a regular file")
	ErrOtherSeries = errors.New("it is of another match")
)

// GameFileError reports a line of a file that is not the next game of the series.
type GameFileError struct {
	Path string
	Game int
	Err  error
}

func (e *GameFileError) Error() string { return fmt.Sprintf("%s: game %d: %v", e.Path, e.Game, e.Err) }

// Unwrap returns the cause.
func (e *GameFileError) Unwrap() error { return e.Err }

// gameStart is the beginning of every line.
var gameStart = []byte(`{"game":`)

// openGameFile opens or creates the file of a series' games, one line of JSON for each. It calls onGame with
// each game that the file has, and drops a last line that was not written to its end.
func openGameFile(path string, s *Series, onGame func(*GameRecord)) (_ *os.File, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() { // a device may never end
		return nil, fmt.Errorf("%s %w", path, ErrNotRegular)
	}
	size, err := readGames(file, path, s, onGame)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(size); err != nil {
		return nil, err
	}
	_, err = file.Seek(size, io.SeekStart)
	return file, err
}

// readGames reads the games of a file, and returns the size of their lines.
func readGames(r io.Reader, path string, s *Series, onGame func(*GameRecord)) (size int64, err error) {
	lines := bufio.NewReader(r)
	for number := 0; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && bytes.HasPrefix(line, gameStart[:min(len(line), len(gameStart))]) {
			return size, nil // no line, or the beginning of one
		}
		var g GameRecord
		if err == nil || errors.Is(err, io.EOF) {
			err = json.Unmarshal(line, &g)
		}
		if err == nil && (g.Number != number || !s.Has(&g)) {
			err = ErrOtherSeries
		}
		if err != nil {
			return 0, &GameFileError{path, number, err}
		}
		onGame(&g)
		size += int64(len(line))
	}
}
