package main

import (
	"slices"
	"testing"
)

func TestAffected(t *testing.T) {
	imports := map[string][]string{
		".":              {"strings"},
		"acpc/card":      {},
		"acpc":           {"acpc/card", "strings"},
		"bots/slumbot":   {"acpc"},
		"cmd/gamebots":   {"bots/slumbot"},
		"internal/alone": {},
	}
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"one package", []string{"bots/slumbot/doc.go"}, []string{".", "bots/slumbot", "cmd/gamebots"}},
		{"direct importers only", []string{"acpc/card/card.go"}, []string{".", "acpc", "acpc/card"}},
		{"test data", []string{"acpc/testdata/fuzz/FuzzLine/1"}, []string{".", "acpc", "bots/slumbot"}},
		{"a document", []string{"docs/library.md"}, []string{"."}},
		{"no package, and a package", []string{".ci/run", "internal/alone/a.s"}, []string{".", "internal/alone"}},
	} {
		if got := affected(c.files, imports); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
