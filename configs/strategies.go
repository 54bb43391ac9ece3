package configs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// The strategies that come with the program are files beside it, not parts of it: each is
// named after its game.
const strategyExt = ".strategy"

// strategyFolders are where the strategies may be: beside the program, in a release as in the
// checkout that it was built in, and in the checkout that is the current folder, for go run.
func strategyFolders() (folders []string) {
	folder := filepath.Join("configs", "strategies")
	if program, err := os.Executable(); err == nil {
		if linked, err := filepath.EvalSymlinks(program); err == nil {
			program = linked
		}
		folders = []string{filepath.Join(filepath.Dir(program), folder)}
	}
	return append(folders, folder)
}

// Strategy returns the file of the strategy that comes with the program for a game, by the
// name of the game. The error is a [*NoStrategyError].
func Strategy(game string) (file string, err error) { return strategyIn(strategyFolders(), game) }

func strategyIn(folders []string, game string) (string, error) {
	if game == filepath.Base(game) {
		for _, folder := range folders {
			file := filepath.Join(folder, game+strategyExt)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				return file, nil
			}
		}
	}
	return "", &NoStrategyError{game}
}

// Strategies returns the names of the shipped games that Strategy has one for, sorted.
func Strategies() []string {
	return slices.DeleteFunc(Games(), func(game string) bool {
		_, err := Strategy(game)
		return err != nil
	})
}

// NoStrategyError is the error for a game, by its name, for which there is no strategy.
type NoStrategyError struct{ Game string }

func (e *NoStrategyError) Error() string {
	return fmt.Sprintf("no strategy for %s in configs/strategies, beside this program or in this folder", e.Game)
}
