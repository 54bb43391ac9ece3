package cli

import (
	"os"
	"strings"
	"testing"
	"time"
)

type mine struct {
	Site  string    `json:"site"`
	Speed float64   `json:"speed" text:"MB/s,%.1f"`
	Open  []string  `json:"open" text:",%d"`
	Last  time.Time `json:"last_try,omitzero"`
}

type mines struct {
	Free    bool    `json:"free"`
	Problem string  `json:"problem,omitempty"`
	Seed    int     `json:"seed" text:"-"`
	Mines   []mine  `json:"mines"`
	Part    float64 `json:"part_done" text:",%.0f%%"`
}

func ExamplePrint() {
	result := &mines{Free: true, Part: 20, Mines: []mine{
		{Site: "n <1>", Speed: 2.25, Open: []string{"a", "b"}},
		{Site: "été", Speed: 13, Last: time.Date(2026, 7, 8, 9, 10, 11, 0, time.UTC)},
	}}
	if err := Print(os.Stdout, false, result); err != nil {
		panic(err)
	}
	if err := Print(os.Stdout, true, result.Mines[1]); err != nil {
		panic(err)
	}
	// Output:
	// free  yes
	//
	// site   MB/s  open  last try
	// n <1>   2.2     2  -
	// été    13.0     0  2026-07-08 09:10
	//
	// part done  20%
	// {"site":"été","speed":13,"open":null,"last_try":"2026-07-08T09:10:11Z"}
}

// What others have written makes no lines of its own, and cannot change a terminal.
func TestPrintSafe(t *testing.T) {
	var text strings.Builder
	err := Print(&text, false, []mine{{Site: "a\nb\x1b[2J"}})
	if want := `a b\x1b[2J   0.0     0  -`; err != nil || !strings.HasSuffix(text.String(), "\n"+want+"\n") {
		t.Errorf("%q, want %q: %v", text.String(), want, err)
	}
}

// A pointer is what it points to, or nothing.
func TestPrintPointers(t *testing.T) {
	type value struct {
		Share *float64   `json:"share" text:",%.2f"`
		Free  *bool      `json:"free"`
		Last  *time.Time `json:"last"`
	}
	share, free, last := 0.5, true, time.Date(2026, 7, 8, 9, 10, 11, 0, time.UTC)
	var text strings.Builder
	err := Print(&text, false, []value{{Share: &share, Free: &free, Last: &last}, {}})
	want := "share  free  last\n0.50   yes   2026-07-08 09:10\n-      -     -\n"
	if got := text.String(); err != nil || got != want {
		t.Errorf("%s, want %s: %v", got, want, err)
	}
}

type told struct{}

func (told) JSON() any { return []int{1} }

// A list is one array, or an object a line, and a result may say itself what its JSON is.
func TestPrintList(t *testing.T) {
	var text strings.Builder
	if err := Print(&text, true, []told{{}}); err != nil {
		t.Error(err)
	}
	if err := PrintList(&text, true, []told{{}, {}}); err != nil || text.String() != "[{}]\n[1]\n[1]\n" {
		t.Errorf("%q: %v", text.String(), err)
	}
}
