package files

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/strategy"
)

// kind is a kind of file.
type kind struct {
	name   string // see Finding.Kind
	detect func(file string) bool
	check  func(file string, f *Finding) error
}

// kinds are all kinds of files, in the order in which they are tried. The last accepts the names of shipped games and
// any other file. Files of other commands are refused as game definitions.
var kinds = []kind{
	{"settings", like(".toml"), checkSettings},
	{"snakes", isSnakes, checkSnakes},
	{"strategy", like(".strategy", strategy.Magic), checkStrategy},
	{"network", like(".net", hexnet.Magic), checkNet},
	{"checkpoint", like(checkpoint.Magic), checkCheckpoint}, // or buckets by strength, which the user's cache has
	{"buckets", func(file string) bool { return atomicfile.Begins(file, buckets.Magic) || buckets.IsFile(file) },
		checkBuckets},
	{"extensive game", like(".efg", "EFG"), checkExtensive},
	{"game in normal form", like(".nfg", ".lrs", "NFG"), checkNormalForm},
	{"profile", like("{"), checkProfile},
	{"database", like("SQLite format 3"), refuse("a database",
		"gamebots arena list --database FILE shows that of an arena, gamebots serve accounts list that of a server")},
	{"records of Havannah", like(".hgf", ".sgf"), checkHGF},
	{"dealer's log", like(acpc.LogTitle, "STATE:", ".log"),
		func(_ string, f *Finding) error { return f.replay("") }},
	{"game", func(string) bool { return true }, checkGame},
}

// like returns a function that reports whether a file has one of the extensions among signs, which
// begin with a dot, or begins with one of the others.
func like(signs ...string) func(file string) bool {
	return func(file string) bool {
		return slices.ContainsFunc(signs, func(sign string) bool {
			if sign[0] == '.' {
				return strings.HasSuffix(file, sign)
			}
			return atomicfile.Begins(file, sign)
		})
	}
}

// IsStrategy reports whether a file is a strategy, perhaps a damaged one.
func IsStrategy(file string) bool { return atomicfile.Begins(file, strategy.Magic) }

// isSnakes reports whether a file has the extension .snake, or its first line that is not a comment is a snake or a
// coil.
func isSnakes(file string) bool {
	if strings.HasSuffix(file, ".snake") {
		return true
	}
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			return words[0] == "snake" || words[0] == "coil"
		}
	}
	return false
}

// binaryStart is what the binary files of this program begin with, but for networks.
const binaryStart = "\x93GB"

// CheckRecord returns an error for a binary file or a profile of this program, which is no record of games.
func CheckRecord(file string) error {
	if !like(binaryStart, hexnet.Magic, ".profile.json")(file) {
		return nil
	}
	hint := "gamebots check says what it is"
	if like(strategy.Magic, ".profile.json")(file) {
		hint = "it is a strategy, which gamebots show --all prints; a rounded one ends in .strategy"
	}
	return usererr.WithHint(fmt.Errorf("%s is not a record of games", file), hint)
}
