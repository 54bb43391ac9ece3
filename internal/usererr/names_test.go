package usererr

import (
	"slices"
	"testing"
)

func TestPrinted(t *testing.T) {
	for name, want := range map[string]string{
		"fold": "fold", "É|é": "É|é", `a\b`: `a\b`,
		"": `""`, "x y": `"x y"`, "x ": `"x "`, `say "x"`: `"say \"x\""`, "a\x1b[31m": `"a\x1b[31m"`, "a\nb": `"a\nb"`,
		"a\u00a0b": `"a\u00a0b"`, "a\u202eb": `"a\u202eb"`, "\xff": `"\xff"`,
	} {
		if got := Printed(name); got != want {
			t.Errorf("%q is printed as %s, want %s", name, got, want)
		}
	}
}

// Any two names of a list are printed differently.
func TestNames(t *testing.T) {
	for _, test := range []struct{ list, want []string }{
		{[]string{"up", "down"}, []string{"up", "down"}},
		{[]string{"0", "1"}, []string{"0", "1"}},
		{[]string{"", ""}, []string{"1", "2"}},
		{[]string{"x y", ""}, []string{`"x y"`, "2"}},
		{[]string{"a", "a", "b"}, []string{"1", "2", "b"}},
		{[]string{"2", "", "3"}, []string{`"2"`, "2", "3"}},
		{[]string{"2", "2", "1"}, []string{"1", "2", `"1"`}},
		{[]string{"", `"1"`}, []string{"1", `"\"1\""`}},
	} {
		if all := Names(test.list, len(test.list)); !slices.Equal(all, test.want) {
			t.Errorf("%q is printed as %q, want %q", test.list, all, test.want)
		}
	}
	if all := Names(nil, 2); !slices.Equal(all, []string{"1", "2"}) {
		t.Errorf("without names they are %q", all)
	}
}

func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"a b\n\tc\n": "a b\n\tc\n", "é �": "é �",
		"a\x1b]0;b\x07": `a\x1b]0;b\a`, "a\rb": `a\rb`, "\xffz\u202e": `\xffz\u202e`,
	} {
		if got := Safe(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
