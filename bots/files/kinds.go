package files

import (
	"bufio"
	"fmt"
	"os"
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
	{"settings", func(file string) bool { return strings.HasSuffix(file, ".toml") }, checkSettings},
	{"snakes", isSnakes, checkSnakes},
	{"strategy", func(file string) bool { return IsStrategy(file) || strings.HasSuffix(file, ".strategy") },
		checkStrategy},
	{"network", func(file string) bool { return isNet(file) || strings.HasSuffix(file, ".net") }, checkNet},
	{"checkpoint", isCheckpoint, checkCheckpoint},
	{"buckets", func(file string) bool { return atomicfile.Begins(file, buckets.Magic) || buckets.IsFile(file) },
		checkBuckets},
	{"extensive game", isExtensive, checkExtensive},
	{"game in normal form", isNormalForm, checkNormalForm},
	{"profile", func(file string) bool { return atomicfile.Begins(file, "{") }, checkProfile},
	{"database", func(file string) bool { return atomicfile.Begins(file, "SQLite format 3") }, refuseDatabase},
	{"records of Havannah", isHGF, checkHGF},
	{"game", isDealerLog, refuseLog},
	{"game", func(string) bool { return true }, checkGame},
}

// IsStrategy reports whether a file is a strategy, perhaps a damaged one.
func IsStrategy(file string) bool { return atomicfile.Begins(file, strategy.Magic) }

// isNet reports whether a file is a network, perhaps a damaged one.
func isNet(file string) bool { return atomicfile.Begins(file, hexnet.Magic) }

// isCheckpoint reports whether a file is a checkpoint or buckets by strength, which the user's cache has in the same
// format.
func isCheckpoint(file string) bool { return atomicfile.Begins(file, checkpoint.Magic) }

func isExtensive(file string) bool {
	return atomicfile.Begins(file, "EFG") || strings.HasSuffix(file, ".efg")
}

func isNormalForm(file string) bool {
	return atomicfile.Begins(file, "NFG") || strings.HasSuffix(file, ".nfg") || strings.HasSuffix(file, ".lrs")
}

func isHGF(file string) bool {
	return strings.HasSuffix(file, ".hgf") || strings.HasSuffix(file, ".sgf")
}

// isDealerLog reports whether a file begins as a dealer's log does.
func isDealerLog(file string) bool {
	return atomicfile.Begins(file, acpc.LogTitle) || atomicfile.Begins(file, "STATE:")
}

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

// CheckRecord returns an error for a binary file of this program, which is no record of games.
func CheckRecord(file string) error {
	if !atomicfile.Begins(file, binaryStart) && !isNet(file) {
		return nil
	}
	hint := "gamebots check says what it is"
	if IsStrategy(file) {
		hint = "it is a strategy, which gamebots show --all prints"
	}
	return usererr.WithHint(fmt.Errorf("%s is not a record of games", file), hint)
}
