package betting

import "testing"

// FuzzParseMeta reads any text as an action abstraction of a file, and what is one by what it
// prints.
func FuzzParseMeta(f *testing.F) {
	for _, text := range []string{"all", "fcpa", "f,c,0.5,1,a", "f,c,1e-300,1e300", "f,c,1,01", "f,c,h,0.50",
		"1; p2 flop turn: min,3x,2.5bb/a/-; p1: a", "fcpa against 0.5,a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseMeta(text)
		if err != nil {
			return
		}
		if again, err := ParseMeta(a.Meta()); err != nil || again.Meta() != a.Meta() {
			t.Fatalf("%q is %v, which is read as %v: %v", text, a, again, err)
		}
	})
}
