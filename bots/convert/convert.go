package convert

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/acpc"
)

// Format is how records are written.
type Format string

// The formats. The first four can be read.
const (
	ACPC  Format = "acpc"
	PHH   Format = "phh"
	HGF   Format = "hgf"
	Text  Format = "text"
	CSV   Format = "csv"
	JSONL Format = "jsonl"
)

var (
	readable = []Format{ACPC, PHH, HGF, Text}
	writable = []Format{ACPC, PHH, HGF, Text, CSV, JSONL}
)

// Job says what becomes what.
type Job struct {
	// From and To may be "": From then follows from the name of the input or
	// what it begins with, To is the format that From goes together with.
	From, To Format
	// Name is that of the input, for errors; the game of a log is looked for
	// beside it.
	Name string
	// Game is the game of a log, or nil where its header names it.
	Game *acpc.Game
	// OpenGame reads a game that a log's header names: a path or a shipped game.
	OpenGame func(name string) (*acpc.Game, error)
	// Scale is how many chips a unit of PHH's is, 0 for 1.
	Scale float64
	// One wants a single hand of PHH, not a table of a file of many.
	One bool
	// OnSkip, if not nil, is told of a hand of PHH that cannot be read or that a
	// log cannot have, which is then left out. Without it such a hand is an error.
	OnSkip func(err error)
	// OnLoss is told what a record has that its new format cannot say.
	OnLoss func(what string)
}

// Result is what was done.
type Result struct {
	From, To Format
	Records  int // hands or games
	Skipped  int // hands that were left out
	// Games is how many games of poker the hands are of: one log can only be
	// read with one.
	Games int
}

// errUsage is wrapped by errors of what was asked for, not of the records.
var errUsage = errors.New("cannot be asked for")

// UsageError says that a job makes no sense.
type UsageError struct{ msg, hint string }

func (e *UsageError) Error() string { return e.msg }

// Hint says what would.
func (e *UsageError) Hint() string { return e.hint }

func (e *UsageError) Unwrap() error { return errUsage }

func unusable(hint, format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...), hint}
}

// FormatOf returns the format that a file's name says it is of, or "".
func FormatOf(file string) Format {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".log":
		return ACPC
	case ".phh", ".phhs", ".toml":
		return PHH
	case ".hgf", ".sgf":
		return HGF
	case ".txt":
		return Text
	case ".csv":
		return CSV
	case ".jsonl", ".ndjson":
		return JSONL
	}
	return ""
}

// peeked is how much of an input is looked at to tell its format and its game.
const peeked = 1 << 14

// Run converts all records of in. An error names the input and the line; what
// was converted before it is written.
func (j Job) Run(in io.Reader, out io.Writer) (Result, error) {
	buffered := bufio.NewReaderSize(in, peeked)
	begin, err := buffered.Peek(peeked)
	if err != nil && err != io.EOF {
		return Result{}, err
	}
	if err := j.formats(string(begin)); err != nil {
		return Result{}, err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	r := Result{From: j.From, To: j.To}
	switch j.From {
	case ACPC, PHH:
		err = j.hands(buffered, string(begin), w, &r)
	default:
		err = j.boards(buffered, w, &r)
	}
	return r, errors.Join(err, w.Flush())
}

// list names formats for people.
func list(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// formats fills in the formats, and checks them.
func (j *Job) formats(begin string) error {
	if j.From == "" {
		if f := FormatOf(j.Name); slices.Contains(readable, f) {
			j.From = f
		} else if j.From = guess(begin); j.From == "" {
			return unusable(fmt.Sprintf("give --from with one of %s", list(readable)), "%s: neither its name nor how it begins says what it is", j.Name)
		}
	}
	if j.To == "" {
		j.To = map[Format]Format{ACPC: PHH, PHH: ACPC, HGF: Text, Text: HGF}[j.From]
	}
	if !slices.Contains(readable, j.From) {
		return unusable(fmt.Sprintf("--from is one of %s", list(readable)), "records are not read from %q", j.From)
	}
	if !slices.Contains(writable, j.To) {
		return unusable(fmt.Sprintf("--to is one of %s", list(writable)), "records are not written as %q", j.To)
	}
	if poker := []Format{ACPC, PHH}; j.To != CSV && j.To != JSONL && slices.Contains(poker, j.From) != slices.Contains(poker, j.To) {
		return unusable("hands of poker are acpc and phh, board games hgf and text", "%s cannot become %s", j.From, j.To)
	}
	return nil
}

// guess returns the format of a text by how it begins, or "".
func guess(begin string) Format {
	for line := range strings.Lines(strings.TrimPrefix(begin, "\ufeff")) {
		line = strings.TrimSpace(line)
		key, _, assigned := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		switch {
		case strings.HasPrefix(line, "STATE:"), strings.HasPrefix(line, "# name/game/hands/seed "):
			return ACPC
		case strings.HasPrefix(line, "("):
			return HGF
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.Contains(line, "side=") || strings.Contains(line, "heaps="):
			return Text
		case strings.HasPrefix(line, "["), assigned && !strings.Contains(key, " "):
			return PHH
		}
		return ""
	}
	return ""
}
