package usererr

import (
	"fmt"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"leduc", "leduc", 0},
		{"Seed", "sEED", 0},
		{"sede", "seed", 2},
		{"kitten", "sitting", 3},
		{"flaw", "lawn", 2},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := distance(pair[0], pair[1]); got != c.want {
				t.Errorf("the distance of %q and %q is %d, want %d", pair[0], pair[1], got, c.want)
			}
		}
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct {
		s        string
		words    []string
		want     string
		distance int
	}{
		{"abc", nil, "", 3},
		{"", []string{"ab"}, "ab", 2},
		{"ac", []string{"ab", "ad", "ac"}, "ac", 0},
		{"ax", []string{"ab", "ad"}, "ab", 1}, // the first of equals
	} {
		if word, distance := Word(c.s, c.words); word != c.want || distance != c.distance {
			t.Errorf("Word(%q, %q) is %q at %d, want %q at %d", c.s, c.words, word, distance, c.want, c.distance)
		}
	}
}

func TestMeant(t *testing.T) {
	words := []string{"threads", "target", "o"}
	for s, want := range map[string]string{"targt": "target", "treadz": "threads", "iterations": "", "xyz": ""} {
		if got := Meant(s, words); got != want {
			t.Errorf("Meant(%q) is %q, want %q", s, got, want)
		}
	}
}

func ExampleOneOf() {
	for _, word := range []string{"rais", "shove"} {
		fmt.Printf("%q is not %s\n", word, OneOf(word, []string{"call", "raise"}))
	}
	// Output:
	// "rais" is not one of call, raise; the nearest is raise
	// "shove" is not one of call, raise
}

func ExampleWord() {
	fmt.Println(Word("ledcu", []string{"kuhn", "leduc", "holdem"}))
	// Output: leduc 2
}
