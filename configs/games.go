package configs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"gamebots/acpc"
	"gamebots/internal/usererr"
)

//go:embed games/*.game
var games embed.FS

const gameExt = ".game"

// Games returns the names of the shipped game definitions, sorted.
func Games() []string { return shippedNames(games, "games", gameExt) }

// GameTitle says in a few words what a shipped game is: the start of its definition's first comment.
func GameTitle(name string) string {
	text, err := games.ReadFile("games/" + name + gameExt)
	if err != nil {
		return ""
	}
	var comment []string
	for line := range strings.Lines(string(text)) {
		words, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			break
		}
		comment = append(comment, words)
	}
	title, _, _ := strings.Cut(strings.Join(comment, " "), ": ")
	return strings.TrimSuffix(title, ".")
}

// GameText returns the text of a game definition, and its file name for messages. The name
// of a shipped game is that game, and anything else is the path of a file; write ./leduc
// for a file that has the name of a shipped game.
func GameText(nameOrPath string) (file, text string, err error) {
	b, err := games.ReadFile("games/" + nameOrPath + gameExt)
	if err == nil {
		return nameOrPath + gameExt, string(b), nil
	}
	if text, err = readText(nameOrPath); errors.Is(err, fs.ErrNotExist) {
		return "", "", &UnknownGameError{Name: nameOrPath}
	}
	if err != nil {
		return "", "", err
	}
	if err := foreign(nameOrPath, text); err != nil {
		return "", "", fmt.Errorf("%s %w", nameOrPath, err)
	}
	return nameOrPath, text, nil
}

// phhHand finds the field that every hand of PHH has. Hands that gamebots wrote may hold the
// definition of their game.
var phhHand = regexp.MustCompile(`(?m)^variant *= *"`)

// foreign returns an error if the text of a file is that of another kind of file, or has none of the keys
// without which there is no game definition.
func foreign(file, text string) error {
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(text, "NFG "):
		return errors.New("is a game in normal form, which gamebots solve nash reads")
	case strings.HasPrefix(text, "EFG "):
		return errors.New("is a game in extensive form, which gamebots solve extensive reads")
	case phhHand.MatchString(text):
		log := strings.TrimSuffix(file, path.Ext(file)) + ".log"
		return usererr.WithHint(errors.New("has hands in PHH, which gamebots convert reads"),
			fmt.Sprintf("gamebots convert %s %s makes a log; with a seed, gamebots check %[2]s verifies it", file, log))
	case !strings.Contains(lower, "gamedef") && !strings.Contains(lower, "numrounds"):
		return usererr.WithHint(errors.New("is no file that is read here: a game definition has GAMEDEF or numRounds"),
			"games are definitions of the ACPC, or Gambit's .efg and .nfg: its .agg and LiteEFG's .game are not read")
	}
	return nil
}

// Game reads a game for play: a shipped one by its name, any other by the path of its
// definition, as for [GameText].
func Game(nameOrPath string) (*acpc.Game, error) {
	file, text, err := GameText(nameOrPath)
	if err != nil {
		return nil, err
	}
	return acpc.ParseGame(file, text)
}

// UnknownGameError is the error of a name that is neither a file nor a shipped game.
type UnknownGameError struct{ Name string }

func (e *UnknownGameError) Error() string {
	if e.Name == "" {
		return "the name of the game is empty"
	}
	return fmt.Sprintf("%s: neither a file nor a shipped game", e.Name)
}

// Is makes the error match fs.ErrNotExist.
func (e *UnknownGameError) Is(target error) bool { return target == fs.ErrNotExist }

// Hint returns the most similar name, if any, and all names.
func (e *UnknownGameError) Hint() string {
	// The names of the ACPC's own files are those of the shipped games in another spelling.
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(e.Name), gameExt), ".reverse_blinds")
	name = strings.ReplaceAll(name, ".", "-")
	if !strings.HasPrefix(name, "holdem-") {
		name = strings.Replace(name, "-limit", "", 1)
	}
	return shippedHint("games", name, Games()) + "; train also takes liars-dice-N and goofspiel-N"
}
