package nash

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A search whose subtrees are done elsewhere, in any order, finds and counts what
// one in this process does.
func TestSpread(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{2, 2}, {5, 7}, {12, 12}, {3, 33}} {
		g := random(t, size[0], size[1], 5)
		text := g.NFG()
		spread := func(ctx context.Context, all []Subtree, take func(int, Finding) error) error {
			other, err := Read("sent", text)
			if err != nil {
				return err
			}
			s, err := NewSearcher(other)
			if err != nil {
				return err
			}
			for _, i := range order.Perm(len(all)) {
				sent, err := json.Marshal(all[i])
				if err != nil {
					return err
				}
				var subtree Subtree
				if err := json.Unmarshal(sent, &subtree); err != nil {
					return err
				}
				f, err := s.Search(ctx, subtree)
				if err != nil {
					return err
				}
				if err := take(i, f); err != nil {
					return err
				}
			}
			return nil
		}
		here, elsewhere := solved(t, g, Options{}), solved(t, g, Options{Spread: spread})
		if !reflect.DeepEqual(here, elsewhere) {
			t.Errorf("%v: %+v elsewhere, %+v here", size, elsewhere.Stats, here.Stats)
		}
	}
}

// What is no subtree of the game is refused, and a search that is stopped says so.
func TestSearcherRefuses(t *testing.T) {
	s, err := NewSearcher(random(t, 9, 9, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []Subtree{{Order: 2}, {Path: []byte{18}}} {
		if _, err := s.Search(t.Context(), bad); err == nil {
			t.Errorf("%+v is searched", bad)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, Subtree{}); err == nil {
		t.Error("a search that was stopped is whole")
	}
}
