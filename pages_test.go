package gamebots

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/pages run the command lines of the pages, see TestPages. A line "run COMMAND" or "exec
// COMMAND" has one as a page has it. A comment "# KIND: COMMAND" names one that is not run as it stands and says why.
var kinds = map[string]string{
	"as":     "what follows in the script stands for it: with a smaller budget, or with names and ports",
	"bench":  "makes a figure, see make bench; tests run it with less",
	"ci":     "run by .ci/run, or by a test",
	"gpu":    "needs a GPU",
	"hours":  "takes hours, or tens of gigabytes of memory",
	"net":    "needs a site or other machines, with names or accounts",
	"others": "needs programs of others: containers, systemd, engines",
}

// pagesEnv turns on TestPages.
const pagesEnv = "GAMEBOTS_PAGES"

// pageCommand is a command line of a page.
type pageCommand struct {
	page  string
	words []string
	last  bool   // only the last line of what it prints is shown
	shown string // what the page shows that it prints, if it shows anything
}

func (c pageCommand) String() string { return strings.Join(c.words, " ") }

var (
	// ours matches a command of one of our programs, or of one that uses what is ours.
	ours = regexp.MustCompile(`^(?:sudo )?((?:[A-Z_]+=\S+ )*(?:\./|new/)?(?:gamebots|gamebench|make|go|docker|dpkg|` +
		`systemctl|tar|man|source|sha256sum|curl) .*)$`)
	joints    = regexp.MustCompile(` (?:&&|\|) `)
	shellWord = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	quoting   = strings.NewReplacer("'", "", `"`, "")
)

// shellWords returns the words of a command line up to a comment, a redirection or another program.
func shellWords(line string) (words []string) {
	for _, word := range shellWord.FindAllString(line, -1) {
		if strings.ContainsAny(word[:1], "<>|&#") {
			break
		}
		words = append(words, quoting.Replace(word))
	}
	return words
}

// pageCommands returns the command lines in the blocks of code of a page.
func pageCommands(page, text string) (all []pageCommand) {
	fenced, open := false, false // open is true where a line is what the last command prints
	examples := false            // true between "Examples:" of a help text and the next empty line
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced, open = !fenced, false
			continue
		}
		code, indented := strings.CutPrefix(line, "    ")
		if !fenced && !indented {
			open = open && line == ""
			continue
		}
		if fenced {
			code = line
		}
		if page == "docs/commands.md" { // help texts
			if examples = line == "Examples:" || examples && line != ""; !examples {
				continue
			}
		}
		for (strings.HasSuffix(code, "\\") || strings.HasSuffix(code, " |")) && i+1 < len(lines) {
			i++
			code = strings.TrimSuffix(code, "\\") + " " + strings.TrimSpace(lines[i])
		}
		code, prompt := strings.CutPrefix(strings.TrimSpace(code), "$ ")
		found := len(all)
		for _, part := range joints.Split(code, -1) {
			if m := ours.FindStringSubmatch(part); m != nil {
				words := shellWords(m[1])
				words[0] = strings.TrimPrefix(strings.TrimPrefix(words[0], "./"), "new/")
				all = append(all, pageCommand{page: page, words: words, last: strings.HasSuffix(code, "| tail -n 1")})
			}
		}
		switch {
		case prompt:
			open = len(all) > found && !strings.HasSuffix(code, "&")
		case open:
			all[len(all)-1].shown += code + "\n"
		}
	}
	return all
}

// allCommands returns the command lines of all pages.
func allCommands(t *testing.T) (all []pageCommand) {
	t.Helper()
	eachFile(t, func(file string, text []byte) {
		if path.Ext(file) == ".md" && file != "CHANGELOG.md" && !strings.HasPrefix(file, "docs/results/") {
			all = append(all, pageCommands(file, string(text))...)
		}
	})
	return all
}

var scriptLine = regexp.MustCompile(`(?m)^(?:(run|exec) (.*?)(?: &\w*&?)?|# ([a-z]+): (.*))$`)

// Every command line of the pages is run by a script in testdata/pages, or named there with the reason why not, and the
// scripts name no others.
func TestPageCommands(t *testing.T) {
	done, named := map[string]int{}, map[string]string{}
	files, err := filepath.Glob("testdata/pages/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut(string(text), "\n-- ")
		for _, m := range scriptLine.FindAllStringSubmatch(script, -1) {
			words := shellWords(m[2] + m[4])
			command := strings.Join(words, " ")
			if m[1] != "" {
				done[command]++
				continue
			}
			if kinds[m[3]] == "" {
				t.Errorf("%s: there is no kind %q of command lines", file, m[3])
			}
			if named[command] != "" {
				t.Errorf("%s: %s is named twice", file, command)
			}
			named[command] = m[3]
		}
	}
	count, seen := map[string]int{}, map[string]bool{}
	for _, c := range allCommands(t) {
		if seen[c.String()] {
			continue
		}
		seen[c.String()] = true
		switch kind := named[c.String()]; {
		case done[c.String()] > 0:
			count["run"]++
		case kind != "":
			count[kind]++
		default:
			t.Errorf("%s: no script in testdata/pages runs this command line, or says why not:\n%s", c.page, c)
		}
	}
	for _, command := range slices.Sorted(maps.Keys(named)) {
		if !seen[command] || done[command] > 0 {
			t.Errorf("a script names %q, which no page has or which is run", command)
		}
	}
	t.Logf("%d command lines: %v", len(seen), count)
}

// TestPages runs the command lines of the pages as a person would, with the programs of make build, and compares what
// they print with what a page shows (make pages).
func TestPages(t *testing.T) {
	if os.Getenv(pagesEnv) == "" {
		t.Skipf("make pages runs it, with %s=1", pagesEnv)
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]pageCommand{}
	for _, c := range allCommands(t) {
		if c.shown != "" {
			shown[c.String()] = c
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/pages",
		RequireExplicitExec: true,
		ContinueOnError:     true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv("PATH", root+string(filepath.ListSeparator)+os.Getenv("PATH"))
			env.Setenv("HOME", os.Getenv("HOME")) // the caches of Go
			return linkTree(root, env.WorkDir, "configs", "docs", "solvers/nash/testdata/reported")
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// until COMMAND: again and again until it succeeds
			"until": func(ts *testscript.TestScript, neg bool, args []string) {
				for start := time.Now(); ts.Exec(args[0], args[1:]...) != nil; time.Sleep(200 * time.Millisecond) {
					if time.Since(start) > time.Minute {
						ts.Fatalf("%v does not succeed", args)
					}
				}
			},
			// block PAGE WORDS FILE: the block of code with the words
			"block": func(ts *testscript.TestScript, neg bool, args []string) {
				text, err := os.ReadFile(filepath.Join(root, args[0]))
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(block(string(text), args[1])), 0o666))
			},
			// run COMMAND: with what a page shows that it prints
			"run": func(ts *testscript.TestScript, neg bool, args []string) {
				if err := ts.Exec(args[0], args[1:]...); (err != nil) != neg {
					ts.Fatalf("%v: %v", args, err)
				}
				c, ok := shown[quoting.Replace(strings.Join(args, " "))]
				if got := ts.ReadFile("stdout"); ok && !c.prints(got) {
					ts.Fatalf("%s shows something else than %v prints:\n%s", c.page, args, got)
				}
			},
		},
	})
}

// block returns the block of code of a page that has some words; "" if there is none.
func block(page, words string) string {
	for _, found := range fencePattern.FindAllString(page, -1) {
		_, found, _ = strings.Cut(found, "\n")
		if found = found[:strings.LastIndex(found, "\n")+1]; strings.Contains(found, words) {
			return found
		}
	}
	for _, found := range indentedPattern.FindAllString(page, -1) {
		if strings.Contains(found, words) {
			return strings.ReplaceAll(found, "\n    ", "\n")
		}
	}
	return ""
}

// linkTree makes folders of root in another one, with links to their files.
func linkTree(root, to string, folders ...string) error {
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			if entry.IsDir() {
				return os.MkdirAll(filepath.Join(to, name), 0o777)
			}
			return os.Symlink(file, filepath.Join(to, name))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// duration matches times, which differ from run to run.
var duration = regexp.MustCompile(`\d+(?:\.\d+)?(?:e-\d+)? (?:ns|µs|ms|s)\b`)

// prints reports whether a page shows what a command has printed, but for times, line breaks, and "..." for some of it.
func (c pageCommand) prints(got string) bool {
	if c.last {
		lines := strings.Split(strings.TrimSpace(got), "\n")
		got = lines[len(lines)-1]
	}
	plain := func(text string) string {
		return strings.Join(strings.Fields(duration.ReplaceAllString(text, "TIME")), " ")
	}
	parts := strings.Split(plain(c.shown), "...")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`^` + strings.Join(parts, `.*`) + `$`).MatchString(plain(got))
}
