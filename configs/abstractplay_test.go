package configs

import (
	"strings"
	"testing"
)

// Settings of a bot at Abstract Play that cannot be are refused by their keys.
func TestAbstractPlay(t *testing.T) {
	for text, want := range map[string]string{
		"[accept]\nsides = [4, 5]\n":                "2: accept.sides: Abstract Play has no board of side 5",
		"[accept]\ngames = 0\n":                     "2: accept.games: 0 is not from 1 to 500",
		"[accept]\nper_player = 0\n":                "2: accept.per_player: is 0",
		"[accept]\nmin_clock = \"-1h\"\n":           "2: accept.min_clock: is negative",
		"[think]\nmost = \"0s\"\n":                  "2: think.most: is 0",
		"[site]\ntoken_url = \"site.test/token\"\n": `2: site.token_url: "site.test/token" is not an address`,
		"[site]\nkey_file = \"\"\n":                 "2: site.key_file: is needed",
		"[webhook]\nstate = \"\"\n":                 "2: webhook.state: is needed",
		"[engine]\nrules = \"nim\"\n":               `2: engine.rules: "nim": this bot plays havannah only`,
		"[engine]\nponder = true\n":                 "2: engine.ponder: is for play hex",
		"[engine]\nkind = \"gtp\"\n":                `engine.command: is needed for kind "gtp"`,
		"[conduct]\nresign_below = 2.0\n":           "2: conduct.resign_below: 2 is not a value from 0 to 1",
		"[conduct]\ndraws = \"never\"\n":            "2: conduct.draws: unknown key",
		"[log]\nlevel = \"loud\"\n":                 `2: log.level: "loud" is not one of debug`,
	} {
		s := DefaultAbstractPlay()
		if err := Load(write(t, text), &s, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
