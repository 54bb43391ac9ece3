package gamebots

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	linkPattern    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
	headingPattern = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	fencePattern   = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```")
	pagePattern    = regexp.MustCompile(`\bdocs/[\w/-]+\.(?:md|sh|csv|toml|json)\b`)
)

// page is a page of documentation.
type page struct {
	links   []string
	anchors map[string]bool // anchors of headings, as GitHub makes them
}

// pages returns the pages of the documentation by their files.
func pages(t *testing.T) map[string]page {
	t.Helper()
	all := map[string]page{}
	eachFile(t, func(file string, text []byte) {
		if path.Ext(file) != ".md" {
			return
		}
		prose := fencePattern.ReplaceAllString(string(text), "")
		p := page{anchors: map[string]bool{}}
		for _, m := range linkPattern.FindAllStringSubmatch(prose, -1) {
			p.links = append(p.links, m[1]+m[2])
		}
		for _, m := range headingPattern.FindAllStringSubmatch(prose, -1) {
			name := anchor(m[1])
			for n := 1; p.anchors[name]; n++ {
				name = fmt.Sprintf("%s-%d", anchor(m[1]), n)
			}
			p.anchors[name] = true
		}
		all[file] = p
	})
	return all
}

// code has the endings of files of Go and C++.
var code = []string{".go", ".cu", ".cuh", ".cpp", ".h"}

// eachFile calls f with the text files of the module.
func eachFile(t *testing.T, f func(file string, text []byte)) {
	t.Helper()
	texts := append([]string{".md", ".toml", ".sh", ".cff", ".html", ".js"}, code...)
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata" || entry.Name() == "build"):
			return filepath.SkipDir
		case entry.IsDir() || file != "Makefile" && !slices.Contains(texts, filepath.Ext(file)):
			return nil
		}
		text, err := os.ReadFile(file)
		if err == nil {
			f(filepath.ToSlash(file), text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// anchor returns the anchor of a heading.
func anchor(heading string) string {
	heading = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	heading = regexp.MustCompile(`[^\pL\pN_ -]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
	return strings.ReplaceAll(heading, " ", "-")
}

// Links of the documentation lead to files and headings that there are, and from the README
// to every page.
func TestLinks(t *testing.T) {
	all := pages(t)
	reached, queue := map[string]bool{"README.md": true}, []string{"README.md"}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for _, link := range all[from].links {
			if to := target(from, link); !reached[to] {
				reached[to], queue = true, append(queue, to)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if !reached[file] {
			t.Errorf("no links lead from README.md to %s", file)
		}
		for _, link := range all[file].links {
			if strings.Contains(link, "://") {
				continue
			}
			to := target(file, link)
			if !exists(to) {
				t.Errorf("%s: link to %s, which is not there", file, link)
			}
			if _, heading, ok := strings.Cut(link, "#"); ok && !all[to].anchors[heading] {
				t.Errorf("%s: link to %s: no such heading", file, link)
			}
		}
	}
}

// target returns the file or folder that a link of a page leads to; for a folder with a
// README.md that file.
func target(from, link string) string {
	file, _, _ := strings.Cut(link, "#")
	if file == "" {
		return from
	}
	file = path.Join(path.Dir(from), file)
	if readme := path.Join(file, "README.md"); exists(readme) {
		return readme
	}
	return file
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Files of docs that help texts, comments, settings and scripts name are there.
func TestNamedPages(t *testing.T) {
	eachFile(t, func(file string, text []byte) {
		if file == "CHANGELOG.md" { // it names what there was
			return
		}
		for _, name := range pagePattern.FindAllString(string(text), -1) {
			if !exists(name) {
				t.Errorf("%s names %s, which is not there", file, name)
			}
		}
	})
}

// Lines of the documentation are at most 120 characters long. Tables, listings in fences, of which many are messages of
// one line, and lines of HTML are not.
func TestDocsLines(t *testing.T) {
	const most = 120
	eachFile(t, func(file string, text []byte) {
		if path.Ext(file) != ".md" {
			return
		}
		fenced := false
		for i, line := range strings.Split(string(text), "\n") {
			start := strings.TrimLeft(line, " ")
			if strings.HasPrefix(start, "```") {
				fenced = !fenced
			}
			if long := utf8.RuneCountInString(line); long > most && !fenced && !strings.HasPrefix(start, "|") &&
				!strings.HasPrefix(start, "<") {
				t.Errorf("%s:%d has %d characters", file, i+1, long)
			}
		}
	})
}

// Lines of code end at column 120, a tab being four columns; those of tests and kernels, too. Texts in raw strings of
// several lines may be longer: they are in formats of others.
func TestCodeLines(t *testing.T) {
	const most, tab = 120, 4
	eachFile(t, func(file string, text []byte) {
		if !slices.Contains(code, path.Ext(file)) {
			return
		}
		raw := rawLines(text)
		for i, line := range strings.Split(string(text), "\n") {
			columns := utf8.RuneCountInString(line) + (tab-1)*strings.Count(line, "\t")
			if columns > most && !raw[i+1] {
				t.Errorf("%s:%d has %d columns", file, i+1, columns)
			}
		}
	})
}

// rawLines returns the lines, from 1, of a Go source that are in raw strings of several lines.
func rawLines(source []byte) map[int]bool {
	lines := map[int]bool{}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, 0)
	for at, of, literal := s.Scan(); of != token.EOF; at, of, literal = s.Scan() {
		for i := range strings.Count(literal, "\n") + 1 {
			if of == token.STRING && strings.Contains(literal, "\n") {
				lines[file.Line(at)+i] = true
			}
		}
	}
	return lines
}

// fragment matches a comment that goes on with a sentence which its line's identifier began.
var fragment = regexp.MustCompile(`^//\s*(of|by|that|which|in|and)\s`)

// Comments behind code can be read without its identifiers: they do not begin with "of" or "by".
func TestTrailingComments(t *testing.T) {
	eachFile(t, func(file string, text []byte) {
		if path.Ext(file) != ".go" {
			return
		}
		for line, comment := range trailing(text) {
			if fragment.MatchString(comment) {
				t.Errorf("%s:%d: %q needs its identifier to be read", file, line, comment)
			}
		}
	})
	found := trailing([]byte("package p\n\n// of a line\nvar (\n\ta int // by b\n\tb = `\n// in c` // and d\n)\n"))
	if want := map[int]string{5: "// by b", 7: "// and d"}; !maps.Equal(found, want) {
		t.Errorf("%v, not %v", found, want)
	}
}

// trailing returns the comments of a Go source behind code, by the lines in which they begin.
func trailing(source []byte) map[int]string {
	comments := map[int]string{}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, scanner.ScanComments)
	codeLine := 0 // last line with code
	for at, of, literal := s.Scan(); of != token.EOF; at, of, literal = s.Scan() {
		line := file.Line(at)
		if of != token.COMMENT {
			codeLine = line + strings.Count(strings.TrimSuffix(literal, "\n"), "\n")
		} else if line == codeLine {
			comments[line] = literal
		}
	}
	return comments
}
