package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write puts text into a file of its own and returns the path.
func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bot.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	path := write(t, `
[bot]
kind = "random"
game = "kuhn"
seed = 3
purify = true
threshold = 1  # a whole number serves as a number

[match]
decision_timeout = "250ms"
`)
	got := DefaultPoker()
	if err := Load(path,
		&got, []string{"bot.seed=4", "bot.threshold=0.25", "log.level=warn", "match.connect_timeout=1m"}); err != nil {
		t.Fatal(err)
	}
	want := Poker{
		Bot:   Bot{Kind: "random", Game: "kuhn", Seed: 4, Purify: true, Threshold: 0.25, Device: "cpu"},
		Match: Match{ConnectTimeout: time.Minute, DecisionTimeout: 250 * time.Millisecond},
		Log:   Log{Level: "warn"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		overrides  []string
		want       []string // the lines of the error, FILE for the path
	}{
		{"unknown key", "[bot]\n\nsede = 1\n", nil,
			[]string{"FILE:3: bot.sede: unknown key, the nearest is bot.seed"}},
		{"another case", "[bot]\nSeed = 1\n", nil,
			[]string{"FILE:2: bot.Seed: unknown key, the nearest is bot.seed"}},
		{"unknown table", "[telemetry_exporter]\n", nil,
			[]string{"FILE:1: telemetry_exporter: unknown key"}},
		{"an experiment of 0.2.0", "[experiment]\ngames = [\"kuhn\"]\n[[training]]\niterations = 1\n", nil,
			[]string{"FILE: experiments went with 0.3.0 (the last commit with them is 5b68c516)"}},
		{"all of them", "[bot]\nsede = 1\npurify = 1\n", nil,
			[]string{"FILE:2: bot.sede: unknown key, the nearest is bot.seed",
				"FILE:3: bot.purify: 1 is not true or false"}},
		{"text for a number", "[bot]\nseed = \"1\"\n", nil,
			[]string{`FILE:2: bot.seed: "1" is not a whole number from 0 up`}},
		{"negative", "bot.seed = -1\n", nil,
			[]string{"FILE:1: bot.seed: -1 is not a whole number from 0 up"}},
		{"fraction", "[bot]\nseed = 1.5\n", nil,
			[]string{"FILE:2: bot.seed: 1.5 is not a whole number from 0 up"}},
		{"number for a text", "[bot]\nkind = 1\n", nil,
			[]string{`FILE:2: bot.kind: 1 is not a text in "quotes"`}},
		{"duration without a unit", "[match]\ndecision_timeout = \"5\"\n", nil,
			[]string{`FILE:2: match.decision_timeout: "5" is not a duration such as "500ms" or "10s"`}},
		{"out of range", "[bot]\nthreshold = 1.5\n", nil,
			[]string{"FILE:2: bot.threshold: 1.5 is not a probability from 0 to 1"}},
		{"not a number", "[bot]\nthreshold = nan\n", nil,
			[]string{"FILE:2: bot.threshold: NaN is not a probability from 0 to 1"}},
		{"negative time", "[match]\nconnect_timeout = \"-1s\"\n", nil,
			[]string{"FILE:2: match.connect_timeout: is negative"}},
		{"unknown word", "[log]\nlevel = \"loud\"\n", nil,
			[]string{`FILE:2: log.level: "loud" is not one of debug, info, warn, error`}},
		{"value for a table", "bot = 1\n", nil,
			[]string{"FILE:1: bot: is a table: write [bot], then its keys"}},
		{"array of tables", "[[bot]]\nseed = 1\n", nil,
			[]string{"FILE:1: bot: is a table: write [bot], then its keys"}},
		{"inline table", "bot = {sede = 1}\n", nil,
			[]string{"FILE: bot.sede: unknown key, the nearest is bot.seed"}},
		{"open list", "[accept]\nsides = [5,\n 6\nrated = true\n[bot]\nseed = 1\n", nil,
			[]string{"FILE:2: accept.sides: is not closed: line 4: expected a comma (',') or array terminator " +
				"(']'), but got 'r'"}},
		{"nearest word", "[log]\nlevel = \"wran\"\n", nil,
			[]string{`FILE:2: log.level: "wran" is not one of debug, info, warn, error; the nearest is warn`}},
		{"not TOML", "[bot]\nseed 1\n", nil,
			[]string{"FILE:2: expected '.' or '=', but got '1' instead"}},
		{"twice", "[bot]\nseed = 1\nseed = 2\n", nil,
			[]string{"FILE:3: Key 'bot.seed' has already been defined."}},
		{"override of an unknown key", "", []string{"bot.sede=1"},
			[]string{"command line: bot.sede: unknown key, the nearest is bot.seed"}},
		{"override without a value", "", []string{"bot.seed"},
			[]string{"command line: bot.seed: an override is written table.key=value; the keys are " +
				"bot.kind, bot.strategy, bot.game, bot.seed, bot.purify, bot.threshold, bot.solve, bot.solve_from, " +
				"bot.solve_time, bot.device, match.connect_timeout, match.decision_timeout, match.silence_timeout, " +
				"log.level"}},
		{"key of another table", "", []string{"seed=1", "match.threshold=1"},
			[]string{"command line: seed: unknown key, the nearest is bot.seed",
				"command line: match.threshold: unknown key, the nearest is bot.threshold"}},
		{"override of a wrong type", "", []string{"bot.purify=maybe"},
			[]string{`command line: bot.purify: "maybe" is not true or false`}},
		{"override out of range", "[bot]\nthreshold = 0.1\n", []string{"bot.threshold=7"},
			[]string{"command line: bot.threshold: 7 is not a probability from 0 to 1"}},
		{"override of a table", "", []string{"bot=1"},
			[]string{"command line: bot: is a table: write [bot], then its keys"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.text)
			p := DefaultPoker()
			err := Load(path, &p, c.overrides)
			if err == nil {
				t.Fatalf("loaded as %+v", p)
			}
			got := strings.Split(strings.ReplaceAll(err.Error(), path, "FILE"), "\n")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadMissingFile(t *testing.T) {
	p := DefaultPoker()
	err := Load("absent.toml", &p, nil)
	if err == nil || !strings.Contains(err.Error(), "absent.toml") {
		t.Errorf("error %v does not name the file", err)
	}
}

func TestTextLoads(t *testing.T) {
	want := DefaultPoker()
	want.Bot = Bot{Kind: "call", Game: "kuhn", Seed: 9, Purify: true, Threshold: 0.5, Device: "cpu"}
	var got Poker
	if err := Load(write(t, Text(&want)), &got, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-written +read):\n%s", diff)
	}
}

// The example files promise that a commented-out value is the default and
// that every key is there.
func TestExampleIsTheManual(t *testing.T) {
	poker, board, abstractPlay := DefaultPoker(), DefaultBoardBot(), DefaultAbstractPlay()
	for file, defaults := range map[string]Settings{
		"poker.toml": &poker, "havannah.toml": &board, "abstractplay.toml": &abstractPlay,
	} {
		t.Run(file, func(t *testing.T) { isTheManual(t, file, defaults) })
	}
}

// uncommented returns the text of an example with the defaults that it shows in comments.
func uncommented(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(text)) {
		if len(line) > 1 && line[0] == '#' && line[1] >= 'a' && line[1] <= 'z' {
			line = line[1:]
		}
		lines.WriteString(line)
	}
	return lines.String()
}

func isTheManual(t *testing.T, file string, defaults Settings) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := reflect.New(reflect.TypeOf(defaults).Elem()).Interface().(Settings) // the file alone must give them
	if err := Load(write(t, uncommented(t, file)), got, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults, got); diff != "" {
		t.Errorf("settings (-default +uncommented example):\n%s", diff)
	}
	for _, f := range fieldsOf(got) {
		_, key, _ := strings.Cut(f.key, ".")
		if !strings.Contains(string(text), "\n#"+key+" = ") {
			t.Errorf("%s does not show %s", file, f.key)
		}
	}
	if shipped, _ := DefaultsFor(file); reflect.TypeOf(shipped) != reflect.TypeOf(defaults) {
		t.Errorf("%s is taken for %T", file, shipped)
	} else if err := Load(file, shipped, nil); err != nil {
		t.Fatal(err)
	} else if diff := cmp.Diff(defaults, shipped); diff != "" {
		t.Errorf("settings (-default +shipped example):\n%s", diff)
	}
}

func TestLoadBoard(t *testing.T) {
	got, want := DefaultBoardBot(), DefaultBoardBot()
	want.Accept.Sides, want.Accept.Block, want.Engine.Command, want.Engine.Kind = []uint64{4, 5}, []string{"eve"},
		[]string{"mohex", "--x"}, "gtp"
	path := write(t, "[accept]\nsides = [4, 5]\nblock = [\"eve\"]\nallow = []\n[engine]\nkind = \"gtp\"\n")
	if err := Load(path, &got, []string{`engine.command=["mohex", "--x"]`}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ text, want string }{
		{"[accept]\nsides = 4\n", "2: accept.sides: 4 is not a list in [brackets], each a whole number from 0 up"},
		{"[accept]\nsides = [4, -5]\n", "2: accept.sides: value 2: -5 is not a whole number from 0 up"},
		{"[accept]\nallow = [1]\n", `2: accept.allow: value 1: 1 is not a text in "quotes"`},
		{"[engine]\nkind = \"gtp\"\n", `engine.command: is needed for kind "gtp"`},
		{"[engine]\nthreads = 1025\n", "2: engine.threads: 1025 is more than 1024"},
		{"[engine]\ncommand = [\"x\"]\n", `2: engine.command: is for kind "gtp", not "best"`},
		{"[challenge]\noptions = \"{\\\"a\\\":}\"\n", "challenge.options: is not JSON"},
		{"[challenge]\nenabled = true\ngames = 3\n", "challenge.tag: is needed where challenge.games counts"},
		{"[time]\noverhead = \"-1s\"\n", "2: time.overhead: is negative"},
		{"[conduct]\ndraws = \"maybe\"\n", `2: conduct.draws: "maybe" is not one of engine, never, always`},
	} {
		b := DefaultBoardBot()
		if err := Load(write(t, c.text), &b, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzLoad holds the loader to its word: no file and no override makes it
// panic, and settings that it accepts it can write and read again.
func FuzzLoad(f *testing.F) {
	f.Add("[bot]\nkind = \"call\"\nseed = 3\n", "log.level=warn")
	f.Add("bot = {threshold = 0.5}\n", "bot.purify=true")
	f.Add("[[bot]]\nseed = 1\n", "match.decision_timeout=1s")
	f.Add("bot.\"seed\" = 1\n", "bot.seed=0x10")
	f.Fuzz(func(t *testing.T, text, override string) {
		p := DefaultPoker()
		if err := Load(write(t, text), &p, []string{override}); err != nil {
			return
		}
		again := DefaultPoker()
		if err := Load(write(t, Text(&p)), &again, nil); err != nil {
			t.Fatalf("own text is refused: %v", err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Errorf("settings (-written +read):\n%s", diff)
		}
	})
}

// The examples with lists of tables have values of their own, and every default.
func TestListsAreTheManual(t *testing.T) {
	arena := DefaultArena()
	for file, got := range map[string]Settings{"arena.toml": &arena, "menus/lean.toml": new(Menu)} {
		want, of := DefaultsFor(file)
		if reflect.TypeOf(want) != reflect.TypeOf(got) {
			t.Errorf("%s is taken for settings of %s", file, of)
			continue
		}
		if err := Load(file, want, nil); err != nil {
			t.Fatal(err)
		}
		text := uncommented(t, file)
		if err := Load(write(t, text), got, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-example +uncommented):\n%s", file, diff)
		}
		all := fieldsOf(got)
		for _, list := range listsOf(got) {
			all = append(all, list.item(0)...)
		}
		for _, f := range all {
			_, key, _ := strings.Cut(f.key, ".")
			if !strings.Contains(text, "\n"+key+" = ") {
				t.Errorf("%s does not show %s", file, f.key)
			}
		}
	}
}

// Tables of a list have defaults and lines of their own.
func TestLoadLists(t *testing.T) {
	const text = `[run]
name = "two"
game = "leduc"

[[player]]
name = "a"
kind = "trained"
iterations = 5

[[player]]
name = "b" # the other
kind = "random"
`
	got := DefaultArena()
	if err := Load(write(t, text), &got, []string{"player[2].seed=9", "poker.deals=3"}); err != nil {
		t.Fatal(err)
	}
	want := []Entry{Entry{}.defaults().(Entry), Entry{}.defaults().(Entry)}
	want[0].Name, want[0].Kind, want[0].Iterations = "a", "trained", 5
	want[1].Name, want[1].Kind, want[1].Seed = "b", "random", 9
	if diff := cmp.Diff(want, got.Players); diff != "" || got.Poker.Deals != 3 {
		t.Errorf("players (-want +got):\n%s", diff)
	}
	inline := DefaultArena()
	short := write(t, "run = {name = \"two\", game = \"leduc\"}\nplayer = [{name = \"a\", kind = \"call\"}, "+
		"{name = \"b\", kind = \"fold\"}]")
	if err := Load(short, &inline, nil); err != nil || len(inline.Players) != 2 || inline.Players[1].Kind != "fold" {
		t.Errorf("in brackets: %v, %+v", err, inline.Players)
	}
	for _, c := range []struct{ old, new, want string }{
		{`iterations = 5`, `iterations = -5`, "FILE:8: player[1].iterations: -5 is not a whole number from 0 up"},
		{`kind = "random"`, "kind = \"random\"\nthreads = 1025", "FILE:13: player[2].threads: 1025 is more than 1024"},
		{`[run]`, "poker.deals = 9223372036854775807\n[run]",
			"FILE:1: poker.deals: 9223372036854775807 is more than 1000000000000"},
		{`[run]`, "board.openings = 1000000000001\n[run]",
			"FILE:1: board.openings: 1000000000001 is more than 1000000000000"},
		{`kind = "random"`, `knid = "random"`, "FILE:12: player[2].knid: unknown key, the nearest is player[2].kind"},
		{`kind = "random"`, "kind = \"random\"\nlisten = \"\"", `FILE:13: player[2].listen: went with 0.3.0, as kind ` +
			`"remote" did (the last commit with them is 5b68c516)`},
		{`name = "b"`, `name = "a"`, `FILE:11: player[2].name: "a" is the name of two players`},
		{`name = "a"`, ``, `FILE:5: player[1].name: is needed`},
		{`name = "b"`, `name = "b\u001b[2J"`, `FILE:11: player[2].name: "b\x1b[2J" has one of | : , which logs have ` +
			`between names, or a character that does not print`},
		{"[[player]]\nname = \"b\" # the other\nkind = \"random\"", ``,
			`FILE:5: player: 1 is less than the two players that a match needs; each is a table [[player]]`},
		{`[run]`, `[rnu]`, "FILE:1: rnu: unknown key\nFILE:2: rnu.name: unknown key, the nearest is " +
			"run.name\nFILE:3: rnu.game: unknown key, the nearest is run.game"},
	} {
		path := write(t, strings.Replace(text, c.old, c.new, 1))
		a := DefaultArena()
		err := Load(path, &a, nil)
		if err == nil || strings.ReplaceAll(err.Error(), path, "FILE") != c.want {
			t.Errorf("%s: error %v, want %s", c.new, err, c.want)
		}
	}
}

// TestMisplaced names the command that a file is for, where it is not this one.
func TestMisplaced(t *testing.T) {
	poker, board, arena := DefaultPoker(), DefaultBoardBot(), DefaultArena()
	for _, c := range []struct {
		path string
		into Settings
		want string
	}{
		{"havannah.toml", &arena, "havannah.toml: has the settings of a board-game bot, which gamebots play hex reads"},
		{"poker.toml", &board, "poker.toml: has the settings of a poker bot, which gamebots play acpc reads"},
		{"arena.toml", &poker, "arena.toml: has the settings of a run of the arena, which gamebots arena run reads"},
		{write(t, "[engin]\nthreads = 2\n"), &board, ": unknown key"},
	} {
		if err := Load(c.path, c.into, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.path, err, c.want)
		}
	}
	if err := Load("", &board, []string{"engin.threads=2"}); err == nil ||
		!strings.Contains(err.Error(), "unknown key") {
		t.Errorf("an override: %v", err)
	}
}
