package dealer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"gamebots/acpc"
)

// files are the files of a match, nil if not wanted.
type files struct{ log, transactions *os.File }

// openFiles opens the files of a match by its name. The caller closes them, also after an
// error.
func (o *options) openFiles(name string) (f files, err error) {
	if !o.noLog {
		f.log, err = o.openFile(name+".log", "log")
	}
	if err == nil && o.transactions {
		f.transactions, err = o.openFile(name+".tlog", "transaction")
	}
	return f, err
}

// openFile opens a file to replace it or to append to it.
func (o *options) openFile(name, what string) (*os.File, error) {
	flag := os.O_TRUNC
	if o.append {
		flag = os.O_APPEND
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|flag, 0o666)
	if err != nil {
		return nil, withOriginalText(err, "could not open %s file %s\n", what, name)
	}
	if o.append && !o.strictOriginal {
		if err := cutTornLine(f); err != nil {
			f.Close()
			return nil, fmt.Errorf("could not open %s file %s: %w", what, name, err)
		}
	}
	return f, nil
}

// record returns the record of a new or resumed match.
func (f *files) record(o *options, m *Match) (record Record, err error) {
	record.LogFrom = math.MaxUint32
	resume := o.append && f.transactions != nil
	if f.log != nil {
		record.Log = f.log
		if resume && !o.strictOriginal {
			record.LogFrom, err = firstUnlogged(f.log, m)
		}
	}
	if f.transactions != nil {
		record.Transactions = f.transactions
		if resume {
			record.Past = f.transactions
		}
	}
	return record, err
}

func (f *files) close() error {
	var errs []error
	for _, file := range []*os.File{f.log, f.transactions} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}

// cutTornLine cuts off an incomplete last line, which a killed writer leaves, and seeks to
// the start of the file.
func cutTornLine(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	// No line that the original could write is longer than this.
	tail := make([]byte, min(end, 16*acpc.MaxLine))
	if _, err := f.ReadAt(tail, end-int64(len(tail))); err != nil {
		return err
	}
	if torn := int64(len(tail) - 1 - bytes.LastIndexByte(tail, '\n')); torn > 0 {
		if err := f.Truncate(end - torn); err != nil {
			return err
		}
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// firstUnlogged returns the first hand of a match that its log lacks: a dealer can be
// killed after the last action of a hand and before it logs the hand. If the log is of
// another match, or has the match's score, no hand counts as missing, as in the original.
func firstUnlogged(log io.Reader, m *Match) (uint32, error) {
	title, _, _ := strings.Cut(string(m.AppendHeader(nil)), "\n")
	next := uint32(math.MaxUint32)
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var hand uint32
		switch line := lines.Text(); {
		case line == title:
			if next == math.MaxUint32 {
				next = 0
			}
		case strings.HasPrefix(line, acpc.LogTitle), strings.HasPrefix(line, "SCORE:"):
			next = math.MaxUint32
		default:
			if n, _ := fmt.Sscanf(line, "STATE:%d:", &hand); n == 1 && next != math.MaxUint32 {
				next = hand + 1
			}
		}
	}
	return next, lines.Err()
}
