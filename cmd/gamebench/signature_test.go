package main

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// signed says by which signature the results of each package of solvers are covered. What no
// signature covers says why, in a sentence that ends with a full stop.
var signed = map[string]string{
	"cfr":                             "cfr",
	"cfr/abstraction":                 "mccfr",
	"cfr/abstraction/buckets":         "buckets",
	"cfr/abstraction/buckets/cluster": "buckets",
	"cfr/abstraction/buckets/internal/bucketstest": "It is for tests.",
	"cfr/betting":                  "cfr",
	"cfr/cfrbr":                    "cfrbr",
	"cfr/cfrtest":                  "It is for tests.",
	"cfr/checkpoint":               "It has the files of unfinished trainings.",
	"cfr/mccfr":                    "mccfr",
	"cfr/mccfr/internal/mccfrtest": "It is for tests.",
	"cfr/mccfr/published/reis":     "deals",
	"cfr/ondevice":                 "It trains and values on a GPU as cfr does.",
	"cfr/pcs":                      "pcs",
	"cfr/publictree":               "cfr",
	"cfr/segment":                  "pcs",
	"cfr/tabular":                  "tabular",
	"cfr/train":                    "It trains by the name of an algorithm, and measures.",
	"evaluate/aivat":               "aivat",
	"evaluate/belief":              "lbr",
	"evaluate/bestresponse":        "bestresponse",
	"evaluate/lbr":                 "lbr",
	"gumbel":                       "gumbel",
	"hexnet":                       "hexnet",
	"hexsearch":                    "gumbel",
	"internal/gate":                "subgame",
	"internal/pokertest":           "It is for tests.",
	"internal/vectors":             "cfr",
	"mcts":                         "mcts",
	"minimax":                      "minimax",
	"nash":                         "nash",
	"nash/bimatrix":                "nash",
	"nash/extensive":               "extensive",
	"nash/extensive/sequence":      "extensive",
	"nash/internal/extreme":        "nash",
	"nash/labels":                  "nash",
	"nash/verify":                  "nash",
	"nimsolver":                    "nim",
	"nmcs/snake":                   "nmcs",
	"playout":                      "havannah",
	"policy":                       "aivat",
	"policy/browse":                "It shows strategies to people.",
	"preflop":                      "Its tests hold its charts against published ones.",
	"resolve":                      "resolve",
	"resolve/spot":                 "spot",
	"resolve/spot/internal/layout": "spot",
	"resolve/spot/ondevice":        "It does on a GPU the passes of spot.",
	"selfplay":                     "selfplay",
	"strategy":                     "It has the files of strategies.",
}

// Every package of solvers has a signature, or a reason for none.
func TestSigned(t *testing.T) {
	const root = "../../solvers"
	left := maps.Clone(signed)
	known := func(name string) bool {
		return slices.ContainsFunc(signatures, func(s signature) bool { return s.name == name })
	}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(file, root+string(filepath.Separator))))
		if by, ok := signed[pkg]; !ok {
			t.Errorf("no signature covers solvers/%s", pkg)
		} else if !strings.HasSuffix(by, ".") && !known(by) {
			t.Errorf("solvers/%s: there is no signature %q", pkg, by)
		}
		delete(left, pkg)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range left {
		t.Errorf("there is no package solvers/%s", pkg)
	}
}
