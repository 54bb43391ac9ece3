package train

import "testing"

// FuzzParseAlgorithm reads any text as the name of an algorithm, and what is one by what
// it prints.
func FuzzParseAlgorithm(f *testing.F) {
	for _, text := range []string{"cfr+", "cfr+/16", "dcfr(1.5, 0, 2)", "external(64)", "dcfr(1e308,-1e308,0)",
		"deals(1)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAlgorithm(text)
		if err != nil {
			return
		}
		if again, err := ParseAlgorithm(a.String()); err != nil || again.String() != a.String() {
			t.Fatalf("%q is %v, which is read as %v: %v", text, a, again, err)
		}
	})
}
