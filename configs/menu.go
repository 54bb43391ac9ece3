package configs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"gamebots/internal/usererr"
)

// Menu has the raises of an action abstraction, see package solvers/cfr/betting. The file
// menus/lean.toml explains it.
type Menu struct {
	Raises []Raises `toml:"raises"`
}

// Raises is a table [[raises]]: by round, those of the first bet, of the first raise, and so on.
type Raises struct {
	Position uint64 `toml:"position"` // position of the player, from 1, or 0 for all
	Others   string `toml:"others"`   // rounds that are not named
	Preflop  string `toml:"preflop"`
	Flop     string `toml:"flop"`
	Turn     string `toml:"turn"`
	River    string `toml:"river"`
}

// Validate returns an [Error] if a value is invalid. It does not read the raises themselves.
func (m *Menu) Validate() error {
	if m.Text() == "" {
		return &Error{Key: "raises", Msg: "is needed: write [[raises]] and those of each round"}
	}
	return nil
}

// Text returns the raises in the notation of betting.ParseActions.
func (m *Menu) Text() string {
	var parts []string
	for _, r := range m.Raises {
		player := ""
		if r.Position > 0 {
			player = fmt.Sprintf("p%d ", r.Position)
		}
		for _, round := range []struct{ name, raises string }{{"", r.Others}, {"preflop", r.Preflop}, {"flop", r.Flop},
			{"turn", r.Turn}, {"river", r.River}} {
			scope := strings.TrimSpace(player + round.name)
			switch {
			case round.raises == "":
			case scope == "":
				parts = append(parts, round.raises)
			default:
				parts = append(parts, scope+": "+round.raises)
			}
		}
	}
	return strings.Join(parts, "; ")
}

//go:embed menus/*.toml
var menus embed.FS

// Menus returns the names of the shipped menus, sorted.
func Menus() []string { return shippedNames(menus, "menus", ".toml") }

// Actions returns a text for betting.ParseActions: that of a shipped menu by its name, that of
// a file whose name ends in .toml, or else the argument itself.
func Actions(text string) (string, error) {
	var m Menu
	shipped, err := menus.ReadFile("menus/" + text + ".toml")
	switch {
	case err == nil:
		err = load(text+".toml", string(shipped), &m, nil)
	case strings.HasSuffix(text, ".toml"):
		if err = Load(text, &m, nil); errors.Is(err, fs.ErrNotExist) {
			err = usererr.WithHint(errors.New(text+": no such file"),
				"the shipped menus are "+strings.Join(Menus(), ", "))
		}
	default:
		return text, nil
	}
	return m.Text(), err
}

// TrainingKey returns the name of the key that settings have for a flag of gamebots train.
func TrainingKey(flag string) string {
	return strings.NewReplacer("abstraction", "cards", "-", "_").Replace(flag)
}

// ReadMenus replaces the menus that the keys actions and opponent_actions name by their raises, see
// [Actions]. An [Error] calls a key by name.
func ReadMenus(name func(key string) string, actions, opponentActions *string) error {
	for _, menu := range []struct {
		key  string
		text *string
	}{{"actions", actions}, {"opponent_actions", opponentActions}} {
		var err error
		if *menu.text, err = Actions(*menu.text); err != nil {
			return &Error{Key: name(menu.key), Err: err}
		}
	}
	return nil
}
