package spotstudy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"
)

// maxFile is the largest file of a solution that a [Study] writes and opens, in bytes.
const maxFile = 16 << 20

// fileMemory is the part of a study's memory that an opened file takes, with a river of it.
const fileMemory = 16

// fileKey is the setting that stands for a file's: a hash of it.
const fileKey = "file"

// file returns the file of a solution, as "gamebots solve poker --save" writes it.
func (x *solvedSpot) file(context.Context, url.Values) (any, error) {
	if x.solver == nil {
		return nil, errors.New("the solution comes from a file")
	}
	if size := x.solver.SavedBytes(); size > 4*maxFile { // before it is compressed
		return nil, fmt.Errorf("the file may be larger than %d MiB: gamebots solve poker --save writes it", maxFile>>20)
	}
	return withFile(nil, func(path string) (body []byte, err error) {
		if err = x.solver.Save(path, x.evaluation.Exploitability()); err == nil {
			body, err = os.ReadFile(path)
		}
		return body, err
	})
}

// openFile keeps the solution of a file, and returns the settings with which to ask for its points.
func (s *Study) openFile(data []byte) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.Sum256(data)
	settings := url.Values{fileKey: {hex.EncodeToString(sum[:12])}}.Encode()
	x := s.take(settings)
	if x == nil {
		solution, err := withFile(data, func(path string) (*spot.Solution, error) {
			return spot.OpenSaved(path, max(1, runtime.GOMAXPROCS(0)/2), s.Memory/fileMemory)
		})
		if err != nil {
			return nil, err
		}
		x = &solvedSpot{
			settings: settings, solution: solution, nodes: map[string]*spot.Node{}, bytes: s.Memory / fileMemory,
			closer: solution,
		}
		x.evaluation = solution.Evaluate()
		x.exploitability = words(x.evaluation.Exploitability(), solution.Spot().Pot, solution.Meta().Iterations)
		if err := s.makeRoom(x.bytes); err != nil {
			return nil, errors.Join(err, x.closer.Close())
		}
	}
	s.kept = append(s.kept, x)
	return map[string]string{"settings": settings}, nil
}

// withFile calls a function with the path of a file with some data, which is gone afterwards. Errors do not name it.
func withFile[T any](data []byte, f func(path string) (T, error)) (result T, err error) {
	folder, err := os.MkdirTemp("", "gamebots-spot-")
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(folder) // a mapping outlives it
	path := filepath.Join(folder, "spot")
	if err = os.WriteFile(path, data, 0o600); err == nil {
		result, err = f(path)
	}
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), path, "the file"))
	}
	return result, err
}

// words says how exploitable a solution is.
func words(exploitability float64, pot int, iterations uint64) string {
	return fmt.Sprintf("%.2g%% of the pot after %s", 100*exploitability/float64(pot), usererr.Iterations(iterations))
}
