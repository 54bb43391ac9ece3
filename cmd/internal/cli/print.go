package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"gamebots/internal/usererr"
)

// Print prints the result of a command, a struct or a slice of them: as JSON, in one line, or for people. A result with
// a method JSON is printed as what that returns, and one with a method WriteText writes its text itself. Other texts
// follow from the fields: a struct has a line for each, and a slice of structs is a table with a column for each. The
// name of a field is that in JSON with blanks, or that of its tag text, which may have a format after a comma, as in
// `json:"speed" text:"speed,%.1f MB/s"`; text:"-" leaves it out. Of a list, %d is the length. A pointer stands for
// what it points to, and nil is "-".
func Print(w io.Writer, asJSON bool, result any) error {
	if asJSON {
		if r, ok := result.(interface{ JSON() any }); ok {
			result = r.JSON()
		}
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		return out.Encode(result)
	}
	if r, ok := result.(interface{ WriteText(w io.Writer) error }); ok {
		return r.WriteText(w)
	}
	_, err := io.WriteString(w, textOf(reflect.Indirect(reflect.ValueOf(result))))
	return err
}

// PrintList is [Print] for a list whose JSON is an object a line.
func PrintList[T any](w io.Writer, asJSON bool, list []T) error {
	if !asJSON {
		return Print(w, false, list)
	}
	for _, x := range list {
		if err := Print(w, true, x); err != nil {
			return err
		}
	}
	return nil
}

// field is a field of a result in its text.
type field struct {
	index         []int
	label, format string
	omitted       bool // where it is zero
	number        bool
}

// fieldsOf returns the fields that the text of a struct has.
func fieldsOf(t reflect.Type) (all []field) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		label, format, _ := strings.Cut(f.Tag.Get("text"), ",")
		if label = cmp.Or(label, strings.ReplaceAll(name, "_", " ")); label == "-" || f.Anonymous || !f.IsExported() {
			continue
		}
		kind := f.Type.Kind()
		all = append(all, field{f.Index, label, format, strings.Contains(options, "omit"),
			kind >= reflect.Int && kind <= reflect.Float64 || format == "%d"})
	}
	return all
}

// textOf returns the text of a struct, whose slices of structs stand between blank lines, or of a slice of structs.
func textOf(v reflect.Value) string {
	if v.Kind() == reflect.Slice {
		fields := fieldsOf(v.Type().Elem())
		rows := [][]string{{}}
		for _, f := range fields {
			rows[0] = append(rows[0], f.label)
		}
		for i := range v.Len() {
			var row []string
			for _, f := range fields {
				row = append(row, f.text(v.Index(i)))
			}
			rows = append(rows, row)
		}
		return aligned(rows, func(column int) bool { return fields[column].number })
	}
	var parts []string
	var lines [][]string
	end := func() {
		if lines != nil {
			parts, lines = append(parts, aligned(lines, func(int) bool { return false })), nil
		}
	}
	for _, f := range fieldsOf(v.Type()) {
		switch x := v.FieldByIndex(f.index); {
		case x.Kind() == reflect.Slice && x.Type().Elem().Kind() == reflect.Struct:
			end()
			parts = append(parts, textOf(x))
		case !f.omitted || !x.IsZero():
			lines = append(lines, []string{f.label, f.text(v)})
		}
	}
	end()
	return strings.Join(parts, "\n")
}

// text returns the text of the field in a struct.
func (f field) text(v reflect.Value) string {
	v = reflect.Indirect(v.FieldByIndex(f.index))
	if !v.IsValid() {
		return "-"
	}
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return "-"
		}
		return x.Format("2006-01-02 15:04")
	case bool:
		return map[bool]string{false: "no", true: "yes"}[x]
	case []string:
		if f.format == "%d" {
			return fmt.Sprint(len(x))
		}
		return strings.Join(x, " ")
	default:
		return fmt.Sprintf(cmp.Or(f.format, "%v"), x)
	}
}

var blanks = strings.NewReplacer("\n", " ", "\t", " ")

// aligned returns rows as lines whose columns are two blanks apart. The cells of a column end below each other if right
// says so, and else begin there.
func aligned(rows [][]string, right func(column int) bool) string {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row { // what others have written cannot make lines or change a terminal
			row[i] = blanks.Replace(usererr.Safe(cell))
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			width := widths[i]
			if !right(i) {
				width = -width // %*s begins the cell at the left
			}
			line += fmt.Sprintf("%*s  ", width, cell)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}
