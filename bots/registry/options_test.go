package registry_test

import (
	"encoding/json"
	"testing"

	"gamebots/bots/registry"
)

// FuzzOptions starts a game of any rules by any options. A game that is started can be
// shown, and its options start the same game.
func FuzzOptions(f *testing.F) {
	for i, text := range []string{
		`{"side":4}`, `{"heaps":[1,3,5],"misere":true}`, `{"game":"rock-paper-scissors","rounds":3}`,
		`{"game":"NFG 1 R \"x\" { \"a\" \"b\" } { 1 1 }\n9e300 -1/3","rounds":1000}`, `{"side":1e99}`, `null`,
	} {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, number uint8, options []byte) {
		rules := registry.Rules[int(number)%len(registry.Rules)]
		g, err := rules.New(options)
		if err != nil {
			return
		}
		again, err := rules.New(g.Options())
		if err != nil || string(again.Options()) != string(g.Options()) {
			t.Fatalf("%q starts %s, which starts %v: %v", options, g.Options(), again, err)
		}
		for _, part := range []any{g.View(), g.Board(), g.Result()} {
			if _, err := json.Marshal(part); err != nil {
				t.Fatalf("%q: %v", options, err)
			}
		}
		_ = g.ToMove()
	})
}
