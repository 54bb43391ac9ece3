package train

import (
	"errors"
	"strings"
	"testing"

	"gamebots/solvers/cfr/mccfr"
)

func TestParseAlgorithm(t *testing.T) {
	texts := []string{"dcfr(1.5,0,2)", "dcfr(2,-0.5,1)", "cfr+", "linear", "cfr", "dcfr(1.5,0,2)/16", "pcfr+/16",
		"linear", "dcfr+", "dcfr+(2,4)", "pdcfr+", "pdcfr+(2,5)", "sapcfr+", "sapcfr+(1,2)/16", "pcfr+(3)",
		"hs-dcfr", "hs-dcfr(15,300)", "hs-pcfr+(30,2000)/16",
		"deals(8)", "deals(64)", "linear-pcs(64)", "linear-pcs(1)", "pcs+(16)", "public-cfr-br", "recursive",
		"iterative", "reis-gpu"}
	for _, m := range []mccfr.Method{{Batch: 1}, {Batch: 50}, {Batch: 1, Linear: true}, {Batch: 64, Linear: true},
		{Batch: 64, Half: true}} {
		texts = append(texts, m.String())
		if a, err := ParseAlgorithm(m.String()); err != nil || a.sampled() != m {
			t.Errorf("%v is read as %v, %v", m, a, err)
		}
	}
	for _, text := range texts {
		if a, err := ParseAlgorithm(text); err != nil || a.String() != text {
			t.Errorf("%q is read as %q, %v", text, a, err)
		}
	}
	for text, want := range map[string]string{"dcfr": "dcfr(1.5,0,2)", "DCFR (1.5, 0, 2)": "dcfr(1.5,0,2)",
		"pdcfr+(2.3,5)": "pdcfr+", "hs-pcfr+(30,1000)": "hs-pcfr+",
		"deals": "deals(8)", "external(1)": "external", "pcs+": "pcs+(64)"} {
		if a, err := ParseAlgorithm(text); err != nil || a.String() != want {
			t.Errorf("%q is read as %q, %v, want %q", text, a, err, want)
		}
	}
	for _, text := range []string{
		"", "cfr++", "cfr(1,2,3)", "dcfr(1,2)", "dcfr(1,2,3", "dcfr(1,2,3)x", "dcfr(1,2,NaN)", "dcfr(1,0,-1)",
		"linear(1)", "pdcfr+(1)", "hs-dcfr(4,100)", "hs-dcfr(30,0)", "sapcfr+(-1,2)",
		"recursive/16", "dcfr/8", "cfr+/64", "dcfr/16/16",
		"internal", "external(", "external(0)", "external(2", "external(x)", "external()",
		"outcome", "external(65537)", "external)",
		"deals()", "deals/16", "deals(0)", "deals(4097)", "recursive(3)", "iterative(2)", "reis-gpu(1)",
	} {
		a, err := ParseAlgorithm(text)
		if e, ok := errors.AsType[*Error](err); !ok || e.Field != FieldAlgorithm {
			t.Errorf("%q is read as %v: error %v", text, a, err)
		}
	}
}

// TestAlgorithmOptions sets options that the name does not have.
func TestAlgorithmOptions(t *testing.T) {
	parse := func(text string) Algorithm {
		a, err := ParseAlgorithm(text)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a, err := parse("external").withBatch(64); err != nil || a.String() != "external(64)" {
		t.Errorf("%v, %v", a, err)
	}
	if a, err := parse("cfr+").halved(); err != nil || a.String() != "cfr+/16" {
		t.Errorf("%v, %v", a, err)
	}
	if a, err := parse("external(64)").halved(); err != nil || a.String() != "external(64)/16" {
		t.Errorf("%v, %v", a, err)
	}
	for _, text := range []string{"cfr+", "recursive"} {
		if a, err := parse(text).withBatch(2); err == nil {
			t.Errorf("%s is %v with a batch", text, a)
		}
	}
	if a, err := parse("recursive").halved(); err == nil {
		t.Errorf("%v has 16 bits", a)
	}
	if _, err := (Algorithm{}).withBatch(2); err == nil {
		t.Error("the zero Algorithm takes a batch")
	}
}

// The algorithms that went say with which version, and where they still are.
func TestGoneAlgorithms(t *testing.T) {
	for text, name := range map[string]string{"chance": "chance", "CFR-BR": "cfr-br", "Self-Public": "self-public",
		"opponent-public(8)": "opponent-public", "linear-public(64)/16": "linear-public",
		"racing-linear-external": "racing-linear-external"} {
		want := `algorithm "` + name + `" went with 0.3.0 (the last commit with it is 5b68c516)`
		if _, err := ParseAlgorithm(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	if _, err := ParseAlgorithm("linear-racing-external"); err == nil || strings.Contains(err.Error(), "went") {
		t.Errorf("a name that never was: %v", err)
	}
}
