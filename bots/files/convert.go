package files

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"

	"gamebots/acpc"
	"gamebots/internal/usererr"
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

// usagef returns an error of a job that cannot be done, whatever the records, with advice.
func usagef(hint, format string, args ...any) error {
	return usererr.WithHint(usererr.Usagef(format, args...), hint)
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
	if formatNamed(j.From).poker() {
		err = j.hands(buffered, string(begin), w, &r)
	} else {
		err = j.boards(buffered, w, &r)
	}
	return r, cmp.Or(err, w.Flush()) // a full disk fails both alike
}

// siteHistory matches how poker sites' own hand histories begin.
var siteHistory = regexp.MustCompile(`(?m)^\x{feff}?(\*{2,5} ?[A-Z]|Seat \d+: |PokerStars )`)

// formats checks the formats and fills in missing ones.
func (j *Job) formats(begin string) error {
	if siteHistory.MatchString(begin) {
		return usagef("hands of a dealer's log and of PHH are read; PokerKit, a library for Python, makes PHH of some "+
			"sites' histories", "%s: it looks like a poker site's hand histories, which are not read", j.Name)
	}
	if j.From == "" {
		if f := FormatOf(j.Name); slices.Contains(Readable, f) {
			j.From = f
		} else if j.From = guess(begin); j.From == "" {
			return usagef("give --from with one of "+List(Readable),
				"%s: neither its name nor how it begins says what it is", j.Name)
		}
	}
	from := formatNamed(j.From)
	if j.To == "" {
		j.To = from.other
	}
	to := formatNamed(j.To)
	switch {
	case !from.read():
		return usagef("--from is one of "+List(Readable), "records are not read from %q", j.From)
	case to.name == "":
		return usagef("--to is one of "+List(Writable), "records are not written as %q", j.To)
	case !(from.poker() && to.poker() || from.boards() && to.boards()):
		hint := fmt.Sprintf("hands of poker are %s, board games %s",
			List(named(func(f format) bool { return f.read() && f.poker() })),
			List(named(func(f format) bool { return f.read() && f.boards() })))
		return usagef(hint, "%s cannot become %s", j.From, j.To)
	}
	return nil
}
