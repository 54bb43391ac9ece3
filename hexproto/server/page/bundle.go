package page

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// What a module may import and export, each at the start of a line. Other forms are refused.
var (
	importLine = regexp.MustCompile(`(?m)^import (?:(\{[\w$, ]+\}) from )?"(\.[^"]+)";$`)
	exportLine = regexp.MustCompile(`(?m)^export ((?:async )?(?:const|function\*?|class) ([\w$]+))`)
	otherLine  = regexp.MustCompile(`(?m)^(?:import|export)\b.*`)
	styleLine  = regexp.MustCompile(`(?m)^@import "([^"]+)";$`)
)

// Bundle makes one file of many, of ES modules and of style sheets, so that a browser asks once: of each entry, with
// all that it imports. It returns their texts, and nil for each other file that one of them has. The modules stay what
// is written and tested; there is no other program to build them.
func Bundle(folder fs.FS, entries ...string) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, entry := range entries {
		of := script
		if path.Ext(entry) == ".css" {
			of = style
		}
		text, taken, err := of(folder, entry)
		if err != nil {
			return nil, fmt.Errorf("bundle %s: %w", entry, err)
		}
		for _, file := range taken {
			if _, ok := all[file]; !ok { // an entry may have another one
				all[file] = nil
			}
		}
		all[entry] = text
	}
	return all, nil
}

// bundle is one that is being made.
type bundle struct {
	folder fs.FS
	entry  string
	text   strings.Builder
	taken  []string          // files in the order of their evaluation
	names  map[string]string // variables of modules by file; "" while a module's imports are added
}

// script returns a module with all that it imports, as one module for its place, and the files that it has, itself
// the last. Each is a function of its own, which returns the exports: nothing but comments tells the order of
// evaluation from that of the modules. Modules that import each other in a circle are refused.
func script(folder fs.FS, entry string) (text []byte, taken []string, err error) {
	b := &bundle{folder: folder, entry: entry, names: map[string]string{}}
	err = b.add(entry)
	return []byte(b.text.String()), b.taken, err
}

// add adds a module after those that it imports.
func (b *bundle) add(file string) error {
	switch name, ok := b.names[file]; {
	case name != "":
		return nil
	case ok:
		return fmt.Errorf("%s imports itself through other modules", file)
	}
	b.names[file] = ""
	source, err := fs.ReadFile(b.folder, file)
	if err != nil {
		return err
	}
	text := string(source)
	if strings.Contains(text, "import.meta") && path.Dir(file) != path.Dir(b.entry) {
		return fmt.Errorf("%s asks for its address, and is not in the folder of %s", file, b.entry)
	}
	for _, m := range importLine.FindAllStringSubmatch(text, -1) {
		if err := b.add(path.Join(path.Dir(file), m[2])); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	text = importLine.ReplaceAllStringFunc(text, func(line string) string {
		m := importLine.FindStringSubmatch(line)
		if m[1] == "" {
			return ""
		}
		return fmt.Sprintf("const %s = %s;", strings.ReplaceAll(m[1], " as ", ": "),
			b.names[path.Join(path.Dir(file), m[2])])
	})
	var exports []string
	for _, m := range exportLine.FindAllStringSubmatch(text, -1) {
		exports = append(exports, m[2])
	}
	text = exportLine.ReplaceAllString(text, "$1")
	if line := otherLine.FindString(text); line != "" {
		return fmt.Errorf("%s: %q is no import or export that is bundled", file, line)
	}
	b.names[file] = fmt.Sprintf("module%d", len(b.taken))
	b.taken = append(b.taken, file)
	fmt.Fprintf(&b.text, "// %s\nconst %s = await (async () => {\n%s\nreturn { %s };\n})();\n",
		file, b.names[file], text, strings.Join(exports, ", "))
	return nil
}

// style returns a style sheet with the text of those that it imports, which are beside it, and the files that it has.
func style(folder fs.FS, entry string) (text []byte, taken []string, err error) {
	source, err := fs.ReadFile(folder, entry)
	if err != nil {
		return nil, nil, err
	}
	text = styleLine.ReplaceAllFunc(source, func(line []byte) []byte {
		file := path.Join(path.Dir(entry), string(styleLine.FindSubmatch(line)[1]))
		sheet, failed := fs.ReadFile(folder, file)
		if failed != nil {
			err = failed
		}
		taken = append(taken, file)
		return sheet
	})
	return text, append(taken, entry), err
}
