package database

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	quoted := func(text string) string {
		q, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(q)
	}
	long := strings.Repeat("1 ", 100)
	heaps := `"heaps":[` + strings.Repeat("1,", 40) + `1]`
	for name, c := range map[string]struct {
		options, short string
		cut            bool
	}{
		"short":           {`{"side":8}`, `{"side":8}`, false},
		"many short ones": {`{` + heaps + `,` + strings.Replace(heaps, "heaps", "b", 1) + `}`, "", false},
		"first line": {`{"game":` + quoted("A game\nof two\n"+long) + `,"rounds":10}`,
			`{"game":"A game…","rounds":10}`, true},
		"blank lines before": {`{"game":` + quoted("\n \n A game\n"+long) + `}`, `{"game":"A game…"}`, true},
		"long line": {`{"game":` + quoted(strings.Repeat("é", 100)) + `}`,
			`{"game":"` + strings.Repeat("é", 60) + `…"}`, true},
		"no text":   {`{"payoffs":[` + strings.Repeat("1,", 100) + `1],"rounds":10}`, `{"rounds":10}`, true},
		"no object": {`[` + strings.Repeat("1,", 100) + `1]`, `{}`, true},
	} {
		if c.short == "" {
			c.short = c.options
		}
		if short, cut := ShortenOptions(json.RawMessage(c.options)); string(short) != c.short || cut != c.cut {
			t.Errorf("%s: %s, %v", name, short, cut)
		}
		if again, cut := ShortenOptions(json.RawMessage(c.short)); string(again) != c.short || cut {
			t.Errorf("%s, again: %s, %v", name, again, cut)
		}
	}
}
