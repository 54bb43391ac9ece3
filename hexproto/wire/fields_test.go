package wire

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// fieldTable returns the table of docs/hexproto.md that says of each field whether it may be
// missing: of messages by their type, then of the objects in them by their name in the schema.
func fieldTable() string {
	var table strings.Builder
	seen := map[reflect.Type]bool{}
	var objects []reflect.Type
	row := func(name string, t reflect.Type) {
		var columns [2][]string // always there, may be missing
		for _, f := range reflect.VisibleFields(t) {
			if f.Anonymous {
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			text, of := "`"+name+"`", f.Type
			for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
				of = of.Elem()
			}
			if of.Kind() == reflect.Struct {
				text += " " + of.Name()
				if !seen[of] {
					seen[of] = true
					objects = append(objects, of)
				}
			}
			column := 0
			if options == "omitempty" {
				column = 1
			}
			columns[column] = append(columns[column], text)
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", name, strings.Join(columns[0], ", "), strings.Join(columns[1], ", "))
	}
	for _, part := range []struct {
		of string
		d  Direction
	}{{"of clients", FromClient}, {"of the server", FromServer}} {
		fmt.Fprintf(&table, "\n| message %s | always has | may leave out |\n|---|---|---|\n", part.of)
		for _, kind := range sorted(part.d) {
			row("`"+kind+"`", part.d[kind])
		}
	}
	table.WriteString("\n| object | always has | may leave out |\n|---|---|---|\n")
	for i := 0; i < len(objects); i++ { // a row may add others
		row(objects[i].Name(), objects[i])
	}
	return table.String()
}

// The page says of each field whether it may be missing.
func TestFieldTable(t *testing.T) {
	page, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "\n<!-- from the types of hexproto/wire -->\n", "\n<!-- end -->\n"
	before, rest, found := strings.Cut(string(page), begin)
	old, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatal("no place for the table")
	}
	want := fieldTable()
	if *update {
		if err := os.WriteFile(docsFile, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != want {
		t.Errorf("go test ./hexproto/wire -update rewrites the table of fields:\n%s\nwant\n%s", old, want)
	}
}
