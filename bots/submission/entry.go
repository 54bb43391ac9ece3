package submission

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/notices"
)

// Entry is what goes into the folder.
type Entry struct {
	Name     string // of the bot
	Program  string // the file of a gamebots program
	Strategy string // the file
	Game     *acpc.Game
	Settings configs.Poker // but for the strategy, which is the folder's own
	// Prepared are files of the user's cache that spare the bot work at its start.
	Prepared []string
	// Readme is the text of the README, or "" for one that says what the folder
	// has.
	Readme string
}

// The files of the folder, beside the strategy.
const (
	startMe  = "startme.sh"
	readme   = "README"
	settings = "poker.toml"
	program  = "gamebots"
	cache    = "cache" // which startme.sh has for the user's
)

// Write makes the folder. There must be none of its name; after an error there
// still is none.
func (e *Entry) Write(dir string) (err error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = existsError{dir}
		}
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	// Made under another name, so that a folder of this name is a whole one.
	draft, err := os.MkdirTemp(parent, ".package-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	if err := os.Chmod(draft, 0o755); err != nil {
		return err
	}
	strategy := filepath.Base(e.Strategy)
	if slices.Contains([]string{startMe, readme, settings, program, cache, notices.File}, strategy) {
		return fmt.Errorf("a strategy file cannot be called %s in the folder", strategy)
	}
	if err := copyFile(filepath.Join(draft, strategy), e.Strategy, 0o644); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(draft, program), e.Program, 0o755); err != nil {
		return err
	}
	for _, file := range e.Prepared {
		folder := filepath.Join(draft, cache, program)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(folder, filepath.Base(file)), file, 0o644); err != nil {
			return err
		}
	}
	own := e.Settings
	own.Bot.Kind, own.Bot.Strategy, own.Bot.Game = "strategy", strategy, ""
	for _, f := range []struct {
		name, text string
		mode       fs.FileMode
	}{
		{startMe, configs.StartMe, 0o755},
		{settings, "# The settings of the bot; startme.sh plays by them.\n" + configs.Text(&own), 0o644},
		{readme, e.readme(strategy), 0o644},
		{notices.File, notices.Text, 0o644},
	} {
		file := filepath.Join(draft, f.name)
		if err := os.WriteFile(file, []byte(f.text), f.mode); err != nil {
			return err
		}
		if err := os.Chmod(file, f.mode); err != nil { // whatever the umask
			return err
		}
	}
	return os.Rename(draft, dir)
}

// existsError is the error for a folder that exists.
type existsError struct{ dir string }

func (e existsError) Error() string { return e.dir + ": is there already" }

// Hint says what to do.
func (e existsError) Hint() string { return "name a folder that is not there yet, or remove this one" }

func copyFile(to, from string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(mode), out.Sync(), out.Close())
}

// readme returns the text of the README.
func (e *Entry) readme(strategy string) string {
	if e.Readme != "" {
		return e.Readme
	}
	contest, _ := FolderName(e.Game)
	if contest == "" {
		contest = "no game of the Annual Computer Poker Competition"
	}
	prepared := ""
	if e.Prepared != nil {
		prepared = "cache            cards that are prepared, so that it starts at once\n"
	}
	return fmt.Sprintf(`%[1]s, a poker bot

Start:     ./startme.sh HOST PORT
Game:      %[2]s (%[3]s)
Protocol:  ACPC 2.0.0
Needs:     %[4]s/%[5]s%[6]s

startme.sh       finds its folder, wherever that is, and starts the bot
gamebots         the program; "gamebots play acpc --help" tells what it can do
poker.toml       its settings
%-16[7]s what it plays
%[8]s
The folder may be moved and renamed. The bot plays one match and ends when the
dealer closes the connection. It writes nothing, and says what goes on on
standard error.
`, e.Name, e.Game.Name, contest, runtime.GOOS, runtime.GOARCH, needs(e.Program), strategy, prepared)
}

// needs returns which libraries a program is linked to, or "".
func needs(program string) string {
	f, err := elf.Open(program)
	if err != nil {
		return "" // not a program of Linux
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if err != nil || len(libraries) == 0 {
		return ""
	}
	return ", with " + strings.Join(libraries, " and ")
}

// FolderName returns the name that the competition wants of a game's folder, and
// how many hands its matches have there. Of other games the name is "", and a
// match of two players has 3000 hands, of more 1000.
func FolderName(g *acpc.Game) (name string, hands uint32) {
	hands = 1000
	if g.NumPlayers == 2 {
		hands = 3000
	}
	plain := g.NumSuits == 4 && g.NumRanks == 13 && g.NumHoleCards == 2 && g.NumRounds == 4 &&
		g.NumBoardCards == [acpc.MaxRounds]uint8{0, 3, 1, 1} && g.HandRanking == 0
	switch {
	case plain && g.NumPlayers == 2 && g.Betting == acpc.Limit:
		name = "submission_2pl"
	case plain && g.NumPlayers == 2:
		name = "submission_2pn"
	case plain && g.NumPlayers == 3 && g.Betting == acpc.Limit:
		name = "submission_3pl"
	}
	return name, hands
}
