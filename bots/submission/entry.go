package submission

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/strategy"
)

// Entry has the contents of a competition folder.
type Entry struct {
	Name     string // name of the bot
	Program  string // path of a gamebots executable
	Strategy string // path of the strategy file
	Game     *acpc.Game
	GameFile string        // name of a file of the game, "" if it is that of the strategy's file
	Settings configs.Poker // Write replaces the path of the strategy
	// Prepared are files of the user's cache, see [Entry.Prepare]. With them the bot starts faster.
	Prepared []string
}

// Prepare has the entry include the files that its bot would make at its start, where this machine has them.
func (e *Entry) Prepare() error {
	f, err := strategy.Open(e.Strategy)
	if err != nil {
		return err
	}
	cards := f.Meta().Abstraction
	if err := f.Close(); err != nil || !abstraction.IsEHS(cards) {
		return err
	}
	kept, err := abstraction.EHSFile(e.Game, cards, "")
	if err != nil {
		//lint:ignore nilerr there is no cache
		return nil
	}
	if _, err = os.Stat(kept); err == nil {
		e.Prepared = []string{kept}
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}

// The files of the folder, besides the strategy.
const (
	startMe  = "startme.sh"
	readme   = "README"
	settings = "poker.toml"
	program  = "gamebots"
	cache    = "cache" // startme.sh uses it instead of the user's
)

// text is a file of a folder, made here.
type text struct {
	name, text string
	mode       fs.FileMode
}

// Write creates the folder of the Annual Computer Poker Competition, which must not exist. After
// an error it still does not.
func (e *Entry) Write(dir string) error {
	return e.write(dir, text{startMe, configs.StartMe, 0o755}, text{readme, e.readme(filepath.Base(e.Strategy)), 0o644})
}

// write creates a folder with the strategy, its program and its settings, and texts that a contest wants.
func (e *Entry) write(dir string, texts ...text) (err error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = usererr.WithHint(fmt.Errorf("%s: already exists", dir),
				"name a folder that does not exist yet, or remove this one")
		}
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	// It is made under another name and renamed, so that it is never incomplete.
	draft, err := os.MkdirTemp(parent, ".package-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	if err := os.Chmod(draft, 0o755); err != nil {
		return err
	}
	strategy := filepath.Base(e.Strategy)
	if slices.Contains([]string{startMe, readme, settings, program, cache, commands, noticesFile}, strategy) {
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
	own.Bot.Kind, own.Bot.Strategy, own.Bot.Game = "strategy", strategy, e.GameFile
	if e.GameFile != "" {
		texts = append(texts, text{e.GameFile, e.Game.String(), 0o644})
	}
	for _, f := range append(texts,
		text{settings, "# The settings of the bot.\n" + configs.Text(&own), 0o644},
		text{noticesFile, notices, 0o644}) {
		file := filepath.Join(draft, f.name)
		if err := os.WriteFile(file, []byte(f.text), f.mode); err != nil {
			return err
		}
		if err := os.Chmod(file, f.mode); err != nil { // regardless of the umask
			return err
		}
	}
	return os.Rename(draft, dir)
}

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
	contest, _ := FolderName(e.Game)
	contest = cmp.Or(contest, "not a game of the Annual Computer Poker Competition")
	files := [][2]string{
		{startMe, "starts the bot, from any working directory"},
		{program, `the program; see "gamebots play acpc --help"`},
		{settings, "the settings"},
		{strategy, "the strategy"},
	}
	if e.GameFile != "" {
		files = append(files, [2]string{e.GameFile, "the game"})
	}
	if e.Prepared != nil {
		files = append(files, [2]string{cache, "tables of cards, so that the bot starts at once"})
	}
	var list strings.Builder
	table := tabwriter.NewWriter(&list, 0, 0, 2, ' ', 0)
	for _, f := range files {
		fmt.Fprintf(table, "%s\t%s\n", f[0], f[1])
	}
	_ = table.Flush() // into memory: cannot fail
	return fmt.Sprintf(`%[1]s, a poker bot

Start:     ./startme.sh HOST PORT
Game:      %[2]s (%[3]s)
Protocol:  ACPC 2.0.0
Needs:     %[4]s/%[5]s

%[6]s
The folder may be moved and renamed. The bot plays one match and ends when the
dealer closes the connection. It writes no files, and logs to standard error.
`, e.Name, e.Game.Name, contest, runtime.GOOS, runtime.GOARCH, &list)
}

// FolderName returns the name that the competition requires of a game's folder, and the
// number of hands in its matches: 3000 for two players, 1000 for more. The name is "" if
// the game is not one of the competition's.
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
