package files

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/history"
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

// Readable and Writable are the formats that Job.From and Job.To may be.
var (
	Readable = []Format{ACPC, PHH, HGF, Text}
	Writable = []Format{ACPC, PHH, HGF, Text, CSV, JSONL}
)

// Job is a conversion.
type Job struct {
	// From and To may be "". From is then taken from the name of the input or from its
	// beginning, and To is the other format of the same games.
	From, To Format
	// Name is the name of the input, for errors. The game file of a log is looked for
	// in its folder.
	Name string
	// Game is the game of a log, nil if its header names it.
	Game *acpc.Game
	// OpenGame reads the game that a log's header names: a path or a shipped game.
	OpenGame func(name string) (*acpc.Game, error)
	// Scale is the number of chips for each unit of PHH; 0 is 1.
	Scale float64
	// One writes a file of PHH with a single hand, which has no tables.
	One bool
	// OnSkip, if not nil, is called with the error of each hand of PHH that cannot be
	// read, or that a log cannot represent; the hand is left out. Without it such a
	// hand ends the conversion.
	OnSkip func(err error)
	// OnDoubt, if not nil, is called with what makes a hand hardly right, see [history.Hand].
	OnDoubt func(what string)
	// OnLoss, if not nil, is called with each property of a record that the new format
	// cannot represent.
	OnLoss func(what string)
}

// Result counts what was converted.
type Result struct {
	From, To Format
	Records  int // hands or games
	Skipped  int // hands that were left out
	// Games is the number of poker games that the hands are of. A log with more than
	// one cannot be read again.
	Games int
	// Game is the game of PHH's hands that become a log without a header, if it is one: a file with
	// it, named as the log but for the extension, lets the log be read again.
	Game *acpc.Game
}

// Problem is the kind of a UsageError.
type Problem int

// The kinds of a UsageError.
const (
	UnknownInput Problem = iota // neither name nor beginning tells the format of the input
	BadFrom                     // not one of Readable
	BadTo                       // not one of Writable
	OtherGames                  // hands of poker and board games have no common format
	NotOfNim                    // HGF has games of Havannah only
	NoGame                      // the game of a log is not known
	SeveralHands                // several hands for a file of one
	SiteHistory                 // a poker site's own hand histories
)

// UsageError reports a job that cannot be done, whatever the records.
type UsageError struct {
	Problem Problem
	msg     string
}

func (e *UsageError) Error() string { return e.msg }

// Hint returns advice, or "" where the remedy depends on the program.
func (e *UsageError) Hint() string {
	switch e.Problem {
	case OtherGames:
		return "hands of poker are acpc and phh, board games hgf and text"
	case NotOfNim:
		return "text, csv and jsonl have games of Nim"
	case SeveralHands:
		return "name the file .phhs"
	case SiteHistory:
		return "hands of a dealer's log and of PHH are read; " +
			"PokerKit, a library for Python, makes PHH of some sites' histories"
	}
	return ""
}

func usagef(p Problem, format string, args ...any) error {
	return &UsageError{p, fmt.Sprintf(format, args...)}
}

// FormatOf returns the format of a file by its name, or "".
func FormatOf(file string) Format {
	if history.IsPHH(file) {
		return PHH
	}
	switch strings.ToLower(filepath.Ext(file)) {
	case ".log":
		return ACPC
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

// peeked is the number of bytes that tell the format and the game of an input.
const peeked = 1 << 14

// Run converts all records of in. An error names the input and the line; the records
// before it are written.
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
	return r, cmp.Or(err, w.Flush()) // a full disk fails both alike
}

// List lists formats, as in "acpc, phh and hgf".
func List(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// siteHistory matches how poker sites' own hand histories begin.
var siteHistory = regexp.MustCompile(`(?m)^\x{feff}?(\*{2,5} ?[A-Z]|Seat \d+: |PokerStars )`)

// formats checks the formats and fills in missing ones.
func (j *Job) formats(begin string) error {
	if siteHistory.MatchString(begin) {
		return usagef(SiteHistory, "%s: it looks like a poker site's hand histories, which are not read", j.Name)
	}
	if j.From == "" {
		if f := FormatOf(j.Name); slices.Contains(Readable, f) {
			j.From = f
		} else if j.From = guess(begin); j.From == "" {
			return usagef(UnknownInput, "%s: neither its name nor how it begins says what it is", j.Name)
		}
	}
	if j.To == "" {
		j.To = map[Format]Format{ACPC: PHH, PHH: ACPC, HGF: Text, Text: HGF}[j.From]
	}
	if !slices.Contains(Readable, j.From) {
		return usagef(BadFrom, "records are not read from %q", j.From)
	}
	if !slices.Contains(Writable, j.To) {
		return usagef(BadTo, "records are not written as %q", j.To)
	}
	if poker := []Format{ACPC, PHH}; j.To != CSV && j.To != JSONL &&
		slices.Contains(poker, j.From) != slices.Contains(poker, j.To) {
		return usagef(OtherGames, "%s cannot become %s", j.From, j.To)
	}
	return nil
}

// guess returns the format of a text by its beginning, or "".
func guess(begin string) Format {
	for line := range strings.Lines(strings.TrimPrefix(begin, "\ufeff")) {
		line = strings.TrimSpace(line)
		key, _, assigned := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		switch {
		case strings.HasPrefix(line, "STATE:"), strings.HasPrefix(line, acpc.LogTitle):
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
