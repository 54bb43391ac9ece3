package dealer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamebots/internal/testkit"
)

// TestPortNumbers has ports that the original server has printed.
func TestPortNumbers(t *testing.T) {
	for seed, want := range map[uint32][]uint16{
		42: {10822, 58468},
		9:  {32771, 36978},
		0:  ports(1, 2), // the seed 0 counts as 1
	} {
		if got := ports(seed, 2); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// ports draws the first ports of a seed.
func ports(seed uint32, n int) []uint16 {
	r, drawn := newPortNumbers(seed), make([]uint16, n)
	for i := range drawn {
		drawn[i] = r.next()
	}
	return drawn
}

// TestReferencePorts draws the ports of all recorded matches. A recorded match
// may have found some of them taken.
func TestReferencePorts(t *testing.T) {
	var manifest map[string]struct {
		Seed uint32 `json:"dealer_seed"`
	}
	text, err := os.ReadFile(filepath.Join(testkit.ReferenceDir(t, "acpc/logs"), "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, file := range testkit.ReferenceFiles(t, "acpc/logs/*/*.stdout") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		match, ok := manifest[name]
		if !ok {
			t.Errorf("%s is not in the manifest", name)
			continue
		}
		r := newPortNumbers(match.Seed)
		line, _, _ := strings.Cut(string(text), "\n")
		for field := range strings.FieldsSeq(line) {
			attempts := make([]string, 0, portAttempts)
			for len(attempts) < portAttempts && !slices.Contains(attempts, field) {
				attempts = append(attempts, strconv.Itoa(int(r.next())))
			}
			if !slices.Contains(attempts, field) {
				t.Errorf("%s: port %s is not among %v", name, field, attempts)
				break
			}
		}
	}
}
