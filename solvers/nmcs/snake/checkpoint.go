package snake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gamebots/solvers/atomicfile"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// saved is what a checkpoint file holds, as JSON: the settings in words, and the
// runs that came to their end. The next run follows from their number.
type saved struct {
	Settings string     `json:"settings"`
	Tally    nmcs.Tally `json:"tally"`
	Sequence string     `json:"sequence"` // of the best, for people
}

// Save writes a checkpoint, in one step.
func Save(path string, s Settings, t *nmcs.Tally) error {
	data, err := json.Marshal(saved{s.String(), *t, s.Sequence(t.Best).String()})
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(data, '\n'))
}

// Load reads a checkpoint of the same settings into a tally, which is empty
// where there is no such file.
func Load(path string, s Settings) (nmcs.Tally, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nmcs.Tally{}, nil
	}
	var from saved
	if err == nil {
		err = json.Unmarshal(data, &from)
	}
	switch {
	case err != nil:
		return nmcs.Tally{}, fmt.Errorf("checkpoint %s: %w", path, err)
	case from.Settings != s.String():
		return nmcs.Tally{}, fmt.Errorf("checkpoint %s is of another search: %s", path, from.Settings)
	}
	if err := from.check(s); err != nil {
		return nmcs.Tally{}, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return from.Tally, nil
}

// check returns an error unless the numbers agree with each other.
func (f *saved) check(s Settings) error {
	runs := uint64(0)
	for _, n := range f.Tally.Scores {
		runs += n
	}
	if runs != f.Tally.Runs {
		return fmt.Errorf("%d runs, but scores of %d", f.Tally.Runs, runs)
	}
	if f.Tally.Best.Moves == nil {
		return nil
	}
	for _, m := range f.Tally.Best.Moves {
		if int(m) >= s.Rules.Dimension {
			return fmt.Errorf("the best has an edge of dimension %d", m)
		}
	}
	best := s.Sequence(f.Tally.Best)
	if f.Tally.Best.Score == 0 && s.Rules.Coil {
		return nil // no coil was closed yet
	}
	if err := cube.Check(s.Rules, best); err != nil {
		return fmt.Errorf("the best: %w", err)
	}
	if len(best) != f.Tally.Best.Score {
		return fmt.Errorf("the best has %d edges, not %d", len(best), f.Tally.Best.Score)
	}
	return nil
}
