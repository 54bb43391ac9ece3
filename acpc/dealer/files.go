package dealer

import (
	"errors"
	"fmt"
	"math"
	"os"
)

// files are what a match is written to; nil is one that is not asked for.
type files struct{ log, transactions *os.File }

// openFiles opens the files of the match of a name. Those that are open must be
// closed even after an error.
func (o *options) openFiles(name string) (f files, err error) {
	if !o.noLog {
		f.log, err = o.openFile(name+".log", "log")
	}
	if err == nil && o.transactions {
		f.transactions, err = o.openFile(name+".tlog", "transaction")
	}
	return f, err
}

// openFile opens a file to write it anew or to append to it.
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

// record returns where the match goes on from and is recorded.
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
