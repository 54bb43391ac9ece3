package configs

import (
	"errors"
	"regexp"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

func TestScanLines(t *testing.T) {
	const text = `# seed = 1
top = [ # [no]
  "a = 1", 'b = 2', # c = 3
  [ 4 ]
]

[ bot ] # a table
greeting = """
[match]
seed = 1 \"""
""""" # d = 5
literal = '''
[log]
level = "x" ''' # '''
"quoted \u0041" . 'k.e.y' = { seed = 3, text = "}" }
seed = 7 # e = 6
path = 'C:\'
empty = ""
match.silence = 1979-05-27

[[player]]
name = "a"

[[player]]
name = "b"
[player.inner]
name = "c"
[last]`
	if _, err := toml.Decode(text, new(map[string]any)); err != nil {
		t.Fatal(err)
	}
	want := keyLines{
		lines: map[string]int{
			"top": 2, "bot": 7, "bot.greeting": 8, "bot.literal": 12, "bot.seed": 16,
			"bot.path": 17, "bot.empty": 18, "bot.match.silence": 19, "player": 21, "player.name": 22,
			"player.inner": 26, "player.inner.name": 27, "last": 28,
		},
		arrays: map[string][]tableLine{"player": {{21, map[string]int{"name": 22}}, {24, map[string]int{"name": 25}}}},
	}
	if diff := cmp.Diff(want, scanLines(text), cmp.AllowUnexported(keyLines{}, tableLine{})); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// An error names the line of its key, not one that looks like it in a string.
func TestLineBehindString(t *testing.T) {
	for text, want := range map[string]int{
		"[conduct]\ngreeting = \"\"\"\nresign_below = 1\n[log]\n\"\"\"\nresign_below = 2.5\n": 6,
		"[conduct]\ngreeting = '''\nresign_below = 1'''\nresign_below = 2.5\n":                4,
		"[accept]\nblock = [\n  \"[conduct]\",\n]\n[conduct]\nresign_below = 2.5\n":           6,
	} {
		b := DefaultBoardBot()
		err := Load(write(t, text), &b, nil)
		if e := (*Error)(nil); !errors.As(err, &e) || e.Key != "conduct.resign_below" || e.Line != want {
			t.Errorf("%q: error %v, want line %d", text, err, want)
		}
	}
	a := DefaultArena()
	err := Load(write(t, "[run]\nname = \"x\"\ngame = \"leduc\"\n[[player]]\nname = \"a\"\nactions "+
		"= \"\"\"\n[[player]]\nname = 1\n\"\"\"\nkind = \"call\"\n[[player]]\nname = 2\n"), &a, nil)
	if e := (*Error)(nil); !errors.As(err, &e) || e.Key != "player[2].name" || e.Line != 12 {
		t.Errorf("error %v, want line 12", err)
	}
}

// bare are keys that are found: those without quotes that begin with a letter.
var bare = regexp.MustCompile(`^[A-Za-z][\w-]*$`)

// quoted finds texts that may have keys in quotes, as "A" = 1.
var quoted = regexp.MustCompile(`["']\s*[=.\]]`)

// FuzzScanLines holds the scanner to every text that is TOML: it ends, and finds
// lines of the text only.
func FuzzScanLines(f *testing.F) {
	f.Add("a.b = [1, 2] # x\n[c]\nd = \"\"\"\n\"\"\"\"\n")
	f.Add("\"A\"={}")
	f.Add("[[a]]\n\"x y\" = {b = ''}\n")
	f.Fuzz(func(t *testing.T, text string) {
		var doc map[string]any
		md, err := toml.Decode(text, &doc)
		if err != nil {
			return
		}
		found := scanLines(text)
		last := 1
		for _, c := range text {
			if c == '\n' {
				last++
			}
		}
		for key, line := range found.lines {
			if line < 1 || line > last {
				t.Errorf("%s is on line %d of %d", key, line, last)
			}
		}
		if quoted.MatchString(text) {
			return
		}
		for _, key := range md.Keys() {
			if len(key) == 1 && bare.MatchString(key[0]) && found.lines[key.String()] == 0 && doc[key[0]] != nil &&
				!opened(found, key[0]) {
				t.Errorf("%s is on no line", key)
			}
		}
	})
}

// opened reports whether a table has a line of its own keys only, as in [a.b].
func opened(l keyLines, table string) bool {
	for key := range l.lines {
		if prefix := (toml.Key{table}).String() + "."; len(key) > len(prefix) && key[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}
