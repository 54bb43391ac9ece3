package playout

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/testkit"
)

// eachLine calls f with every line of the reference files that match a pattern: the comment
// after #, or the key=value words and the words after the colon.
func eachLine(t *testing.T, pattern string, f func(remark string, values map[string]string, list []string)) {
	t.Helper()
	for _, file := range testkit.ReferenceFiles(t, "havannah/"+pattern) {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			remark, isRemark := strings.CutPrefix(lines.Text(), "#")
			if isRemark {
				f(remark, nil, nil)
				continue
			}
			values := map[string]string{}
			head, list, _ := strings.Cut(lines.Text(), " : ")
			for word := range strings.FieldsSeq(head) {
				key, value, _ := strings.Cut(word, "=")
				values[key] = value
			}
			f("", values, strings.Fields(list))
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// number parses a value of a reference line.
func number(t *testing.T, values map[string]string, key string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(values[key], 64)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return x
}

// agree compares two shares of numbers of games, within four standard errors of their
// difference.
func agree(t *testing.T, what string, got, games, want, wantGames float64) {
	t.Helper()
	p := (got*games + want*wantGames) / (games + wantGames)
	if sd := math.Sqrt(p * (1 - p) * (1/games + 1/wantGames)); math.Abs(got-want) > 4*sd+1e-5 {
		t.Errorf("%s: %.5f of %.0f games, want %.5f of %.0f (standard error %.5f)", what, got,
			games, want, wantGames, sd)
	}
}

func TestReferenceHavannahPlayoutStatistics(t *testing.T) {
	testStatistics(t, 60_000, onCPU)
}

func TestReferenceHavannahFirstMoves(t *testing.T) { testFirstMoves(t, 60_000, onCPU) }

// onCPU rates the moves of an empty board.
func onCPU(t *testing.T, b *havannah.Board, playouts uint64) []Rating {
	t.Helper()
	ratings, err := Rate(t.Context(), b, Options{Playouts: playouts, Seed: 1, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return ratings
}

// testStatistics compares random games from the empty board: results, structures and lengths.
// It plays about the given number of games on each board.
func testStatistics(t *testing.T, games uint64, rate func(*testing.T, *havannah.Board, uint64) []Rating) {
	compared := 0
	eachLine(t, "random-playout-stats.txt", func(_ string, values map[string]string, _ []string) {
		if values == nil {
			return
		}
		side := int(number(t, values, "side"))
		b, err := havannah.New(side)
		if err != nil {
			t.Fatal(err)
		}
		var sum Tally
		for _, r := range rate(t, b, games/uint64(b.Grid().NumCells)) {
			sum.Add(&r.Tally)
		}
		games, wantGames := float64(sum.Playouts()), number(t, values, "games")
		share := func(what string, n uint64) {
			compared++
			agree(t, fmt.Sprintf("side %d: %s", side, what), float64(n)/games, games,
				number(t, values, what), wantGames)
		}
		share("first_wins", sum.Wins)
		share("second_wins", sum.Losses)
		share("draws", sum.Draws)
		for end := havannah.Ring; end <= havannah.Ring|havannah.Bridge|havannah.Fork; end++ {
			name := end.String()
			switch {
			case end&(end-1) == 0:
				name += "_only"
			case end == havannah.Ring|havannah.Bridge|havannah.Fork:
				name = "all"
			}
			share(name, sum.Ends[end])
		}
		plies, want := float64(sum.Plies)/games, number(t, values, "mean_plies")
		if sd := number(t, values, "sd_plies") * math.Sqrt(1/games+1/wantGames); math.Abs(plies-want) > 4*sd {
			t.Errorf("side %d: %.3f plies, want %.3f (standard error %.3f)", side, plies, want, sd)
		}
	})
	if compared == 0 {
		t.Error("no statistics to compare with")
	}
}

// testFirstMoves compares games after each first move. Symmetric cells are one class.
func testFirstMoves(t *testing.T, games uint64, rate func(*testing.T, *havannah.Board, uint64) []Rating) {
	compared, wantGames := 0, 0.0
	rated := map[string][]Rating{} // ratings by side
	eachLine(t, "random-first-move-winrates.txt", func(remark string, values map[string]string, cells []string) {
		if values == nil {
			if _, after, ok := strings.Cut(remark, "classes, "); ok {
				games, _, _ := strings.Cut(after, " ")
				wantGames = number(t, map[string]string{"playouts": games}, "playouts")
			}
			return
		}
		side := values["side"]
		b := board(t, "side="+side+" :")
		if rated[side] == nil {
			rated[side] = rate(t, b, games/uint64(b.Grid().NumCells))
		}
		var sum Tally
		for _, cell := range cells {
			m, err := b.Grid().Parse(cell)
			if err != nil {
				t.Fatal(err)
			}
			sum.Add(&rated[side][m].Tally)
		}
		games := float64(sum.Playouts())
		what := "side " + side + ", " + values["class"]
		agree(t, what+": wins", float64(sum.Wins)/games, games, number(t, values, "first_player_wins"), wantGames)
		agree(t, what+": draws", float64(sum.Draws)/games, games, number(t, values, "draws"), wantGames)
		compared++
	})
	if compared == 0 {
		t.Error("no first moves to compare with")
	}
}
