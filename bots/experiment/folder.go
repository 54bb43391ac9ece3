package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gamebots/bots/grid"
	"gamebots/internal/atomicfile"
)

// The files in the folder of an experiment.
const (
	RunsFile  = "runs.jsonl" // the curve of each run, see [Results]
	MeansFile = "curves.csv" // their means, see [WriteCSV]
	PlotFile  = "curves.svg" // a picture of them, which the command draws
)

// Folder has the files of an experiment.
type Folder struct {
	Path    string
	Version string // the program's
	// Open opens the grid, if runs are missing, and end closes it. The grid knows [Kind].
	Open func(ctx context.Context) (g grid.Grid, end func() error, err error)
	// OnBegin, if not nil, is called before the work with the number of missing runs, and of those
	// that another version of the program has done.
	OnBegin func(missing, others int)
	OnDone  func() // called after each run that was missing; may be nil
}

// FolderError is the error of a folder that is not one of an experiment, or cannot become one.
type FolderError struct{ Err error }

func (e *FolderError) Error() string { return e.Err.Error() }
func (e *FolderError) Unwrap() error { return e.Err }

// Complete has the missing runs of a plan done, and returns the means of all, which it also writes. Runs
// that are done are kept whatever happens, and another call goes on. Errors of the folder itself are of
// type [*FolderError].
func (f *Folder) Complete(ctx context.Context, p Plan) (rows []Row, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	path := filepath.Join(f.Path, RunsFile)
	if files, err := os.ReadDir(f.Path); err == nil && len(files) > 0 {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, &FolderError{fmt.Errorf("the folder %s has files, and none of an experiment", f.Path)}
		}
	}
	if err := os.MkdirAll(f.Path, 0o777); err != nil {
		return nil, &FolderError{err}
	}
	release, err := atomicfile.Hold(path)
	if errors.Is(err, atomicfile.ErrLocked) {
		err = fmt.Errorf("%s is being written by another gamebots", path)
	}
	if err != nil {
		return nil, &FolderError{err}
	}
	defer release()
	results, err := Open(path, f.Version)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, results.Close()) }()
	missing := len(results.Missing(p))
	if f.OnBegin != nil {
		f.OnBegin(missing, results.OtherVersions(p))
	}
	if missing > 0 {
		g, end, err := f.Open(ctx)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(results.Complete(ctx, g, p, f.OnDone), end()); err != nil {
			return nil, err
		}
	}
	rows = results.Summarize(p)
	var text bytes.Buffer
	if err := WriteCSV(&text, rows); err != nil {
		return nil, err
	}
	return rows, atomicfile.Write(filepath.Join(f.Path, MeansFile), text.Bytes())
}
