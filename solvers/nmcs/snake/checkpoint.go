package snake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gamebots/internal/atomicfile"
)

// checkpoint is the JSON of a checkpoint file: the text of the settings, and the tally of
// the completed runs. The next run has the number Tally.Runs.
type checkpoint struct {
	Settings string `json:"settings"`
	Tally    Tally  `json:"tally"`
	Sequence string `json:"sequence"` // Tally.Best, for readers of the file
}

// CheckpointError is the error of a checkpoint that cannot be continued.
type CheckpointError struct {
	Path string
	Err  error
}

func (e *CheckpointError) Error() string { return fmt.Sprintf("checkpoint %s: %v", e.Path, e.Err) }
func (e *CheckpointError) Unwrap() error { return e.Err }

// Save writes a checkpoint atomically.
func Save(path string, s Settings, t *Tally) error {
	data, err := json.Marshal(checkpoint{s.String(), *t, s.Sequence(t.Best).String()})
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(data, '\n'))
}

// Load reads the tally of a checkpoint with the same settings. It is empty if there is no
// such file. The error is a [*CheckpointError].
func Load(path string, s Settings) (Tally, error) {
	atomicfile.RemoveAbandoned(path) // a search that was killed may have left its next one
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Tally{}, nil
	}
	var from checkpoint
	if err == nil {
		err = json.Unmarshal(data, &from)
	}
	if err == nil && from.Settings != s.String() {
		err = fmt.Errorf("of another search: %s", from.Settings)
	}
	if err == nil {
		err = from.check(s)
	}
	if err != nil {
		return Tally{}, &CheckpointError{path, err}
	}
	return from.Tally, nil
}

// check returns an error if the tally is inconsistent.
func (c *checkpoint) check(s Settings) error {
	runs := uint64(0)
	for _, n := range c.Tally.Scores {
		runs += n
	}
	if runs != c.Tally.Runs {
		return fmt.Errorf("%d runs, but scores of %d", c.Tally.Runs, runs)
	}
	if c.Tally.Best.Moves == nil {
		return nil
	}
	for _, m := range c.Tally.Best.Moves {
		if int(m) >= s.Dimension {
			return fmt.Errorf("the best has an edge of dimension %d", m)
		}
	}
	best := s.Sequence(c.Tally.Best)
	if err := Check(Rules{Dimension: s.Dimension}, best); err != nil {
		return fmt.Errorf("the best: %w", err)
	}
	if len(best) != c.Tally.Best.Score {
		return fmt.Errorf("the best has %d edges, not %d", len(best), c.Tally.Best.Score)
	}
	return nil
}
