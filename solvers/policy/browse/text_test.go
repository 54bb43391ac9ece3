package browse

import (
	"bytes"
	"strings"
	"testing"

	"gamebots/acpc/money"
)

// A node of a small game is a table with values in the unit that is asked for, or lines of CSV; differences from
// another strategy are a table.
func TestText(t *testing.T) {
	s := trained(t, "kuhn", "fcpa", 2000)
	n := at(t, s, "cr", "")
	format, err := money.MB.In(s.Game())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := (&Text{Winnings: format}).WriteNode(&text, n); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hand  board  bucket", "value f mb  value c mb", "-1000.0000", "\nreached in ",
		"\n  f  fold "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	hundred, err := money.BB100.In(s.Game())
	if err != nil {
		t.Fatal(err)
	}
	text.Reset()
	if err := (&Text{Winnings: hundred}).WriteNode(&text, n); err != nil ||
		!strings.Contains(text.String(), "value f bb/100  value c bb/100") {
		t.Errorf("%s: %v", &text, err)
	}
	text.Reset()
	if err := n.WriteCSV(&text); err != nil || strings.Count(text.String(), "\n") != 1+2*len(n.Hands) {
		t.Errorf("%s: %v", &text, err)
	}
	n.Frequency = new(float64)
	for a := range n.Actions {
		n.Actions[a].Frequency = 0
	}
	text.Reset()
	if err := (&Text{Winnings: format}).WriteNode(&text, n); err != nil ||
		!strings.HasSuffix(text.String(), "\nnever reached when all play this strategy; possible here are\n"+
			"  f  fold\n  c  call 1\n") {
		t.Errorf("%s: %v", &text, err)
	}
	p, _ := s.Parse("", "")
	all, err := CompareAt(s, trained(t, "kuhn", "fcpa", 3), p)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d differences: %v", len(all), err)
	}
	text.Reset()
	if err := (&Text{Winnings: format}).WriteDifferences(&text, all[:1]); err != nil ||
		!strings.HasSuffix(text.String(), " mb\n") {
		t.Errorf("%s: %v", &text, err)
	}
}
