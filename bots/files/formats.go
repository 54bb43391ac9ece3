package files

import (
	"path/filepath"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/history"
)

// Format is how records are written.
type Format string

// The formats of records.
const (
	ACPC  Format = "acpc"
	PHH   Format = "phh"
	HGF   Format = "hgf"
	Text  Format = "text"
	CSV   Format = "csv"
	JSONL Format = "jsonl"
)

// format is what the program knows of a format.
type format struct {
	name       Format
	extensions []string               // file names end so, the usual way first
	other      Format                 // what its records become by default; "" if it is only written
	begins     func(line string) bool // whether a file may begin with a line, comments apart; nil if it is only written
	// hand and game write a record. They are nil if the format has no hands of poker, or no board games.
	hand func(w *handWriter, dst []byte, h *history.Hand) ([]byte, error)
	game func(j *Job, g boardGame) (string, error)
}

// formats are all formats, those that are read first.
var formats = []format{
	{name: ACPC, extensions: []string{".log"}, other: PHH, begins: func(line string) bool {
		return strings.HasPrefix(line, "STATE:") || strings.HasPrefix(line, acpc.LogTitle)
	}, hand: func(_ *handWriter, dst []byte, h *history.Hand) ([]byte, error) { return h.AppendLog(dst), nil }},
	{name: PHH, extensions: []string{".phhs", ".phh", ".toml"}, other: ACPC, begins: func(line string) bool {
		key, _, assigned := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		return line[0] != '(' && !isText(line) && (line[0] == '[' || assigned && !strings.Contains(key, " "))
	}, hand: (*handWriter).appendPHH},
	{name: HGF, extensions: []string{".hgf", ".sgf"}, other: Text,
		begins: func(line string) bool { return line[0] == '(' }, game: (*Job).hgf},
	{name: Text, extensions: []string{".txt"}, other: HGF, begins: isText, game: (*Job).text},
	{name: CSV, extensions: []string{".csv"}, game: (*Job).csv,
		hand: func(w *handWriter, dst []byte, h *history.Hand) ([]byte, error) {
			return h.AppendCSV(dst, w.match), nil
		}},
	{name: JSONL, extensions: []string{".jsonl", ".ndjson"}, game: (*Job).jsonl,
		hand: func(w *handWriter, dst []byte, h *history.Hand) ([]byte, error) { return h.AppendJSON(dst, w.match) }},
}

// isText reports whether a line may be a game of Havannah or Nim.
func isText(line string) bool {
	return strings.Contains(line, "side=") || strings.Contains(line, "heaps=")
}

// formatNamed returns a format, or one without anything.
func formatNamed(name Format) (f format) {
	if i := slices.IndexFunc(formats, func(f format) bool { return f.name == name }); i >= 0 {
		f = formats[i]
	}
	return f
}

// named returns the formats that have something.
func named(has func(f format) bool) (all []Format) {
	for _, f := range formats {
		if has(f) {
			all = append(all, f.name)
		}
	}
	return all
}

// Readable and Writable are the formats that Job.From and Job.To may be.
var (
	Readable = named(format.read)
	Writable = named(func(format) bool { return true })
)

func (f format) read() bool   { return f.other != "" }
func (f format) poker() bool  { return f.hand != nil }
func (f format) boards() bool { return f.game != nil }

// List lists formats, as in "acpc, phh and hgf".
func List(formats []Format) string { return join(formats, " and ") }

// Choice is List with "or".
func Choice(formats []Format) string { return join(formats, " or ") }

func join(formats []Format, word string) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + word + names[last]
}

// FormatOf returns the format of a file by its name, or "".
func FormatOf(file string) Format {
	extension := strings.ToLower(filepath.Ext(file))
	for _, f := range formats {
		if slices.Contains(f.extensions, extension) {
			return f.name
		}
	}
	return ""
}

// guess returns the format of a text by its beginning, or "".
func guess(begin string) Format {
	for line := range strings.Lines(strings.TrimPrefix(begin, "\ufeff")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' && !strings.HasPrefix(line, acpc.LogTitle) {
			continue
		}
		for _, f := range formats {
			if f.read() && f.begins(line) {
				return f.name
			}
		}
		return ""
	}
	return ""
}
