package configs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// Settings is a pointer to a struct whose fields are the tables, each a struct of values,
// named by toml tags. Validate returns nil or an [Error] with a Key, without File and Line.
type Settings interface{ Validate() error }

// CommandLine is the File of errors in overrides.
const CommandLine = "command line"

// Load sets the values of the file at path, then those of the overrides, and validates the
// result, also by the checks, which return nil or an [Error] as Validate does. Values that neither sets stay as they
// are. A path of "" reads no file. An override is "table.key=value", with texts and durations without quotes. After an
// error the contents of into are undefined.
func Load(path string, into Settings, overrides []string, checks ...func() error) error {
	text := ""
	if path != "" {
		var err error
		if text, err = readText(path); err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
	}
	return load(path, text, into, overrides, checks...)
}

// load is Load with the text of the file.
func load(path, text string, into Settings, overrides []string, checks ...func() error) error {
	l := loader{fields: fieldsOf(into), lists: listsOf(into), set: map[string]position{}}
	if path != "" {
		l.file(path, text)
	}
	for _, list := range l.lists {
		for i := range list.value.Len() {
			l.fields = append(l.fields, list.item(i)...)
		}
	}
	for _, o := range overrides {
		l.override(o)
	}
	if len(l.errs) > 0 {
		if err := misplaced(path, text, into); err != nil {
			return err
		}
		return errors.Join(l.errs...)
	}
	err := into.Validate()
	for _, check := range checks {
		if err == nil {
			err = check()
		}
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		where := l.set[e.Key]
		e.File, e.Line = cmp.Or(where.file, path), where.line
	}
	return err
}

// position is the file and line where a key was set.
type position struct {
	file string
	line int
}

type loader struct {
	fields fields
	lists  []list
	set    map[string]position
	errs   []error
}

func (l *loader) file(path, text string) {
	var doc map[string]any
	md, err := toml.Decode(text, &doc)
	if e := (toml.ParseError{}); errors.As(err, &e) {
		l.errs = append(l.errs, syntaxError(path, text, e))
		return
	}
	if err != nil {
		l.errs = append(l.errs, &Error{File: path, Err: err})
		return
	}
	// The keys are assigned one by one, because toml's decoding into a struct ignores
	// case, wraps negative numbers to unsigned ones, and stops at the first error of a
	// random order.
	lines := scanLines(text)
	for _, list := range l.lists {
		if tables, ok := tablesOf(doc[list.name]); ok {
			l.list(path, lines, list, tables)
			delete(doc, list.name)
		}
	}
	for _, key := range md.Keys() {
		if doc[key[0]] == nil {
			continue // an element of one of the lists
		}
		value, ok := lookUp(doc, key)
		if !ok {
			continue // inside an array of tables, whose own key is refused
		}
		l.assign(position{path, lines.lines[key.String()]}, key.String(), value)
	}
}

// syntaxError returns the error of a text that is not TOML. The decoder finds a list that is
// not closed where the next line does not fit into it; the list is named instead.
func syntaxError(path, text string, e toml.ParseError) *Error {
	line := scanLines(text).lines[e.LastKey]
	if line == 0 || line >= e.Position.Line || !strings.Contains(e.Message, "terminator") {
		return &Error{File: path, Line: e.Position.Line, Msg: e.Message}
	}
	return &Error{File: path, Line: line, Key: e.LastKey,
		Msg: fmt.Sprintf("is not closed: line %d: %s", e.Position.Line, e.Message)}
}

// tablesOf returns an array of tables, written with [[headers]] or in brackets.
func tablesOf(value any) ([]map[string]any, bool) {
	switch v := value.(type) {
	case []map[string]any:
		return v, true
	case []any:
		var tables []map[string]any
		for _, x := range v {
			table, ok := x.(map[string]any)
			if !ok {
				return nil, false
			}
			tables = append(tables, table)
		}
		return tables, true
	}
	return nil, false
}

// list replaces an array of tables by that of the file.
func (l *loader) list(path string, lines keyLines, into list, tables []map[string]any) {
	into.value.SetZero()
	all := l.fields
	for i, table := range tables {
		l.fields = into.grow()
		at := lines.array(into.name, i)
		l.set[into.name] = position{path, at.header}
		for _, f := range l.fields {
			l.set[f.key] = position{path, at.header} // for errors of missing keys
		}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			l.assign(position{path, at.keys[name]}, itemKey(into.name, i, name), table[name])
		}
	}
	l.fields = all
}

// lookUp returns the value of a key in a document.
func lookUp(doc map[string]any, key toml.Key) (any, bool) {
	var value any = doc
	for _, part := range key {
		table, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		value = table[part]
	}
	return value, true
}

func (l *loader) override(o string) {
	key, text, ok := strings.Cut(o, "=")
	if !ok {
		l.errs = append(l.errs, &Error{File: CommandLine, Key: o, Msg: "an override is written table.key=value; the " +
			"keys are " + strings.Join(l.fields.keys(), ", ")})
		return
	}
	var value any = text
	if f, ok := l.fields.find(key); ok && !f.isText() {
		var doc map[string]any
		if _, err := toml.Decode("value = "+text, &doc); err == nil {
			value = doc["value"]
		}
	}
	l.assign(position{file: CommandLine}, key, value)
}

// assign sets the field of a key, or adds an error.
func (l *loader) assign(at position, key string, value any) {
	msg := ""
	if l.fields.isTable(key) {
		if _, ok := value.(map[string]any); ok {
			return // its keys follow
		}
		msg = fmt.Sprintf("is a table: write [%s], then its keys", key)
	} else if f, ok := l.fields.find(key); !ok {
		msg = "unknown key"
		if strings.HasSuffix(key, "].listen") {
			msg = `went with 0.3.0, as kind "remote" did (the last commit with them is 5b68c516)`
		} else if near := l.fields.near(key); near != "" {
			msg += ", the nearest is " + near
		}
	} else if err := f.assign(value); err != nil {
		msg = err.Error()
	}
	if msg != "" {
		l.errs = append(l.errs, &Error{File: at.file, Line: at.line, Key: key, Msg: msg})
	}
	l.set[key] = at
}

// Error is an error in a configuration file or an override, and its place.
type Error struct {
	File string // path, or CommandLine
	Line int    // from 1, or 0 if the key has no line of its own
	Key  string // "table.key", or "" for the whole file
	Msg  string
	Err  error // the cause, if any
}

// Error returns "file:line: key: message: cause" without the parts that are empty.
func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
	}
	for _, part := range []string{e.Key, e.Msg} {
		if part != "" && s != "" {
			s += ": "
		}
		s += part
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// maxText is the size in bytes of the largest file that is read. Files written by hand are
// much smaller.
const maxText = 1 << 20

// readText returns the text in a file. It refuses devices, which may never end, and files
// with zero bytes.
func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file", path)
	}
	text, err := ReadFileAtMost(path, maxText)
	if err != nil {
		return "", err
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return "", fmt.Errorf("%s: not a text: byte %d is zero", path, at+1)
	}
	return string(text), nil
}

// ReadAtMost reads r to its end, or returns an error after limit bytes: r may be a device
// that never ends. name is for errors.
func ReadAtMost(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s: larger than %d bytes", name, limit)
	}
	return text, nil
}

// ReadFileAtMost is os.ReadFile with the limit of [ReadAtMost], for files that a user
// names.
func ReadFileAtMost(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAtMost(f, path, limit)
}
