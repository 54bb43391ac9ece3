package havannah

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func TestPictures(t *testing.T) {
	for _, c := range []struct{ name, game string }{
		{"heat", "side=4 : d4 swap e5 b2"},
		{"ring", "side=4 : c3 a1 c4 a2 d5 b1 e5 g7 e4 g6 d3"},
		{"large", "side=10 : j10 s19"},
	} {
		var b Board
		if err := b.UnmarshalText([]byte(c.game)); err != nil {
			t.Fatal(err)
		}
		var heat Heat
		if c.name == "heat" {
			for cell := range b.Grid().NumCells {
				heat = append(heat, float64(cell)/float64(b.Grid().NumCells-1))
			}
			heat[0] = math.NaN()
		}
		for name, picture := range map[string]string{c.name + ".svg": b.SVG(heat), c.name + ".txt": b.Text(heat)} {
			file := "testdata/pictures/" + name
			if *update {
				if err := os.WriteFile(file, []byte(picture), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if picture != string(want) {
				t.Errorf("%s is not that of the picture now; rewrite it with -update and look at it", file)
			}
		}
	}
}

// An SVG is well-formed XML with a cell and a stone for each on the board.
func TestSVG(t *testing.T) {
	for side := MinSide; side <= MaxSide; side++ {
		b := newBoard(t, side)
		for _, m := range []Move{0, 1} {
			if err := b.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		in, elements := xml.NewDecoder(strings.NewReader(b.SVG(nil))), map[string]int{}
		for {
			token, err := in.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok {
				elements[e.Name.Local]++
			}
		}
		if elements["polygon"] != b.Grid().NumCells || elements["title"] != b.Grid().NumCells ||
			elements["circle"] != 3 {
			t.Errorf("side %d: %v", side, elements)
		}
	}
}
