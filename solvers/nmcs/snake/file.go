package snake

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Entry is a line of a file of sequences: the kind, the dimension, the length in edges, the
// sequence, and optionally its source in words, separated by tabs or spaces. Lines that begin
// with # are comments.
type Entry struct {
	Line     int
	Rules    Rules
	Sequence Sequence
	Source   string
}

// String returns the line of an entry.
func (e Entry) String() string {
	return strings.TrimRight(fmt.Sprintf("%s\t%d\t%d\t%s\t%s", e.Rules.Kind(), e.Rules.Dimension, len(e.Sequence),
		e.Sequence, e.Source), "\t")
}

// maxLine bounds the bytes of a line.
const maxLine = 1 << 20

// maxFaults bounds the lines whose errors are kept.
const maxFaults = 1000

// ReadFile is [Read] for a file by its name.
func ReadFile(name string) ([]Entry, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return Read(name, in)
}

// ReadLongest returns the longest snake of a file in a dimension or below.
func ReadLongest(name string, dimension int) (Sequence, error) {
	entries, err := ReadFile(name)
	if err != nil {
		return nil, err
	}
	var longest Sequence
	for _, e := range entries {
		if !e.Rules.Coil && e.Rules.Dimension <= dimension && len(e.Sequence) > len(longest) {
			longest = e.Sequence
		}
	}
	if longest == nil {
		return nil, fmt.Errorf("%s: no snake in dimension %d or below", name, dimension)
	}
	return longest, nil
}

// Read reads a file of sequences and checks each of them. It returns those that are right. The
// error joins those of all other lines, which name the file and the line.
func Read(name string, r io.Reader) ([]Entry, error) {
	var entries []Entry
	var faults []error
	more := 0 // faults that are not kept
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		e, err := parseEntry(text)
		switch {
		case err == nil:
			e.Line = n
			entries = append(entries, e)
		case len(faults) < maxFaults:
			faults = append(faults, fmt.Errorf("%s: line %d: %w", name, n, err))
		default:
			more++
		}
	}
	if more > 0 {
		faults = append(faults, fmt.Errorf("%s: %d more lines have errors", name, more))
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		faults = append(faults, fmt.Errorf("%s: line %d: more than %d bytes", name, n, maxLine))
	} else if err != nil {
		faults = append(faults, fmt.Errorf("%s: %w", name, err))
	}
	if len(entries)+len(faults) == 0 {
		return nil, fmt.Errorf("%s: no sequence: a line is a kind (snake or coil), a dimension, a length and "+
			"a sequence", name)
	}
	return entries, errors.Join(faults...)
}

func parseEntry(text string) (Entry, error) {
	var e Entry
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return e, errors.New("not a kind, a dimension, a length and a sequence")
	}
	switch fields[0] {
	case "snake":
	case "coil":
		e.Rules.Coil = true
	default:
		return e, fmt.Errorf("kind %q is neither snake nor coil", fields[0])
	}
	var err error
	if e.Rules.Dimension, err = strconv.Atoi(fields[1]); err != nil {
		return e, fmt.Errorf("dimension %q is not a number", fields[1])
	}
	// Files may have dimensions outside of the range of searches.
	if e.Rules.Dimension < 1 || e.Rules.Dimension > 32 {
		return e, fmt.Errorf("dimension %d is not one of 1 to 32", e.Rules.Dimension)
	}
	length, err := strconv.Atoi(fields[2])
	if err != nil {
		return e, fmt.Errorf("length %q is not a number", fields[2])
	}
	if e.Sequence, err = ParseSequence(fields[3]); err != nil {
		return e, err
	}
	if length != len(e.Sequence) {
		return e, fmt.Errorf("length %d, but the sequence has %d edges", length, len(e.Sequence))
	}
	e.Source = strings.Join(fields[4:], " ")
	return e, check(e.Rules, e.Sequence)
}
