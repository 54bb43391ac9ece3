package configs

import "strings"

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
