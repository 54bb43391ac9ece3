package ranges

import (
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// smallGrid is of the three highest ranks: aces always raise, kings call half and fold half,
// and queens are not held.
func smallGrid() *Grid {
	actions := []acpc.Action{{Type: acpc.Fold}, {Type: acpc.Call}, {Type: acpc.Raise, Size: 300}}
	g := &Grid{Title: "a <small> grid", Ranks: 3, Actions: actions, Names: []string{"fold", "call 2", "raise to 300"}}
	g.Fill(func(add func(card.Set, float64, []float64)) {
		card.Subsets(card.Deck(4, 3), 2, func(hole card.Set) {
			switch text := hole.String(); text[0] {
			case 'A':
				add(hole, 1, []float64{0, 0, 1})
			case 'K':
				add(hole, 0.25, []float64{0.5, 0.5, 0})
			default:
				add(hole, 0, []float64{1, 0, 0})
			}
		})
	})
	return g
}

// TestLikeliest counts raises of all sizes together, and names the likeliest of them.
func TestLikeliest(t *testing.T) {
	g := &Grid{
		Title: "sizes", Ranks: 2, Names: []string{"fold", "call", "raise to 200", "raise to 300"},
		Actions: []acpc.Action{
			{Type: acpc.Fold}, {Type: acpc.Call}, {Type: acpc.Raise, Size: 200}, {Type: acpc.Raise, Size: 300},
		},
	}
	g.Fill(func(add func(card.Set, float64, []float64)) {
		card.Subsets(card.Deck(4, 2), 2, func(hole card.Set) {
			switch text := hole.String(); {
			case text[0] == text[2]:
				add(hole, 1, []float64{0, 0, .47, .53})
			case text[1] == text[3]:
				add(hole, 1, []float64{0, .4, .35, .25})
			default:
				add(hole, 1, []float64{.3, .45, .2, .05})
			}
		})
	})
	var got strings.Builder
	if err := g.WriteText(&got); err != nil {
		t.Fatal(err)
	}
	const want = `sizes
      A     K
A  s100   r60
K   c45  s100
the likeliest action and its percentage; suited hands above the diagonal; - is held less than half
f fold, c call, r raise to 200, s raise to 300, with the percentage of all sizes together
`
	if got.String() != want {
		t.Errorf("%s\nis not\n%s", got.String(), want)
	}
}

func TestGridGolden(t *testing.T) {
	g := smallGrid()
	for name, write := range map[string]func(io.Writer) error{
		"grid.txt": g.WriteText, "grid.colour": g.WriteColour, "grid.svg": g.WriteSVG,
	} {
		var got strings.Builder
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got.String(), want)
		}
	}
}

// The means of a cell are over its hands, weighted by their reach.
func TestGridMeans(t *testing.T) {
	actions := []acpc.Action{{Type: acpc.Fold}, {Type: acpc.Call}}
	g := &Grid{Ranks: 13, Actions: actions}
	g.Fill(func(add func(card.Set, float64, []float64)) {
		for i, hole := range ClassAt(0, 1).Hands() {
			add(hole, []float64{1, 0.5, 0, 0}[i], []float64{float64(i), 1 - float64(i)})
		}
	})
	c := g.at(0, 1)
	if c.Class != "AKs" || c.Reach != 0.375 || c.Probabilities[0] != 0.5/1.5 || c.Probabilities[1] != 1/1.5 {
		t.Errorf("%+v", c)
	}
	if c := g.at(1, 0); c.Class != "AKo" || c.Reach != 0 || c.Probabilities != nil {
		t.Errorf("%+v", c)
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	var image strings.Builder
	if err := smallGrid().WriteSVG(&image); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for d := xml.NewDecoder(strings.NewReader(image.String())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
			cells++
		}
	}
	if cells != 9 {
		t.Errorf("%d cells", cells)
	}
}
