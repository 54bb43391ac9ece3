package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/configs"
)

// hands converts hands of poker.
func (j *Job) hands(in io.Reader, begin string, out io.Writer, result *Result) error {
	source, err := j.source(in, begin)
	if err != nil {
		return err
	}
	writer := handWriter{format: j.To, one: j.One}
	games := map[string]bool{}
	var last *history.Hand
	titled := j.From != PHH || j.To != ACPC
	for {
		h, err := source.Next()
		if err == io.EOF && result.Records == 0 {
			return fmt.Errorf("%s: none of the %d hands can be converted", j.Name, result.Skipped)
		}
		if err == io.EOF {
			if !titled && result.Games == 1 {
				result.Game = last.Game()
			}
			return nil
		}
		if bad := (*history.HandError)(nil); j.OnSkip != nil && errors.As(err, &bad) {
			j.OnSkip(err)
			result.Skipped++
			continue
		}
		if err != nil {
			return err
		}
		if h.Doubt != "" && j.OnDoubt != nil {
			j.OnDoubt(h.Doubt)
		}
		if err := writer.write(out, h); err != nil {
			return err
		}
		result.Records++
		last = h
		if _, ok := h.Match(); ok {
			titled = true
		}
		if j.From == PHH && len(games) < 1000 {
			games[h.Game().String()] = true
		}
		result.Games = max(1, len(games))
	}
}

// source returns the reader of the hands.
func (j *Job) source(in io.Reader, begin string) (interface{ Next() (*history.Hand, error) }, error) {
	if j.From == PHH {
		r := history.NewPHHReader(in, j.Name)
		r.Scale = j.Scale
		return r, nil
	}
	g := j.Game
	if g == nil {
		var err error
		if g, err = GameOfLog(j.Name, begin); err != nil {
			return nil, err
		}
	}
	return history.NewLogReader(in, j.Name, g), nil
}

// GameOfLog opens the game that a log's header names, given the log's beginning: the file
// beside the log, at the path as it is, or the shipped game of that name. Without a header it is
// [GameBeside]. If there is none it is an error of the command line.
func GameOfLog(file, begin string) (*acpc.Game, error) {
	paths, missing := []string{GameBeside(file)}, "no header says which game it is of"
	for line := range strings.Lines(begin) {
		if _, name, _, _, ok := acpc.ParseLogTitle(strings.TrimRight(line, "\r\n")); ok {
			paths = []string{filepath.Join(filepath.Dir(file), name), name,
				strings.TrimSuffix(filepath.Base(name), ".game")}
			missing = "the game " + name + ", which its header names, is not there"
			break
		}
	}
	for _, path := range paths {
		g, err := configs.Game(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return g, err
		}
	}
	return nil, usagef("give --game with a name that gamebots games lists, or a file", "%s: %s", file, missing)
}

// GameBeside returns the file with the game of a log that has no header: beside it, with its name.
func GameBeside(log string) string { return strings.TrimSuffix(log, filepath.Ext(log)) + ".game" }

// handWriter writes hands in a format.
type handWriter struct {
	format Format
	one    bool // a file of PHH with a single hand, which has no tables

	phh    history.PHHWriter
	match  string // name of the last match
	hands  int    // written
	headed bool
	buf    []byte
}

// write writes a hand, if it is not nil. The first call writes the header of a table.
func (w *handWriter) write(to io.Writer, h *history.Hand) (err error) {
	w.buf = w.buf[:0]
	if w.format == CSV && !w.headed {
		w.headed = true
		w.buf = append(w.buf, history.CSVHeader...)
	}
	if h != nil {
		if name, ok := h.Match(); ok {
			w.match = name
		}
		w.buf, err = formatNamed(w.format).hand(w, w.buf, h)
		w.hands++
	}
	if err == nil {
		_, err = to.Write(w.buf)
	}
	return err
}

func (w *handWriter) appendPHH(dst []byte, h *history.Hand) ([]byte, error) {
	switch {
	case !w.one:
		return w.phh.Append(dst, h)
	case w.hands > 0:
		return nil, usagef("name the file .phhs", "a file named .phh is of one hand, and there are more")
	}
	return h.AppendPHH(dst)
}
