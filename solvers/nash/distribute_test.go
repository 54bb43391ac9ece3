package nash

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/labels"
)

// A search whose subtrees are done elsewhere, in any order, has the results and counts that
// one in this process does.
func TestDistribute(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{2, 2}, {5, 7}, {12, 12}, {3, 33}} {
		g := random(t, size[0], size[1], 5)
		text := g.NFG()
		distribute := func(ctx context.Context, all []labels.Subtree,
			onResult func(int, labels.SubtreeResult) error) error {
			other, err := game.Read("sent", text)
			if err != nil {
				return err
			}
			s, err := labels.NewSearcher(other)
			if err != nil {
				return err
			}
			for _, i := range order.Perm(len(all)) {
				sent, err := json.Marshal(all[i])
				if err != nil {
					return err
				}
				var subtree labels.Subtree
				if err := json.Unmarshal(sent, &subtree); err != nil {
					return err
				}
				f, err := s.Search(ctx, subtree)
				if err != nil {
					return err
				}
				if err := onResult(i, f); err != nil {
					return err
				}
			}
			return nil
		}
		here, elsewhere := solved(t, g, Options{}), solved(t, g, Options{Distribute: distribute})
		if !reflect.DeepEqual(here, elsewhere) {
			t.Errorf("%v: %+v elsewhere, %+v here", size, elsewhere.Stats, here.Stats)
		}
	}
}
