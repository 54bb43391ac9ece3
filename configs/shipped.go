package configs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/internal/usererr"
)

// shippedNames returns the names of the files of a folder that come with the program, without
// their extension, sorted.
func shippedNames(files embed.FS, folder, extension string) (names []string) {
	paths, err := fs.Glob(files, folder+"/*"+extension)
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(path.Base(p), extension))
	}
	slices.Sort(names) // without the extension kuhn comes before kuhn-3p
	return names
}

// loadShipped is [Load] for a file of a folder that comes with the program, by its name, or any other one by its path.
// what is what the files hold.
func loadShipped(
	files embed.FS, folder, what, nameOrPath string, into Settings, overrides []string, checks ...func() error,
) error {
	if text, err := files.ReadFile(folder + "/" + nameOrPath + ".toml"); err == nil {
		return load(nameOrPath+".toml", string(text), into, overrides, checks...)
	}
	err := Load(nameOrPath, into, overrides, checks...)
	if errors.Is(err, fs.ErrNotExist) {
		name := strings.TrimSuffix(path.Base(nameOrPath), ".toml")
		err = usererr.WithHint(fmt.Errorf("%s: neither a file nor a shipped %s", nameOrPath, what),
			shippedHint(what+"s", name, shippedNames(files, folder, ".toml")))
	}
	return err
}

// shippedHint says which of the shipped names an unknown one was probably meant to be, and lists all.
func shippedHint(what, name string, all []string) string {
	list := fmt.Sprintf("the shipped %s are %s", what, strings.Join(all, ", "))
	if near := usererr.Meant(name, all); near != "" {
		list = fmt.Sprintf("did you mean %s? %s", near, list)
	}
	return list
}

//go:embed networks/*.net
var networks embed.FS

// Network returns a shipped network by the name of its game, as the content of its file.
func Network(game string) (content []byte, shipped bool) {
	content, err := networks.ReadFile("networks/" + game + ".net")
	return content, err == nil
}

// StartMe is the script startme.sh, by which competitions start a bot.
//
//go:embed startme.sh
var StartMe string

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
	return fmt.Sprintf("no strategy for %s in configs/strategies, neither beside the program nor in this folder",
		e.Game)
}
