package published_test

import (
	"testing"

	"gamebots/bench/published"
)

func TestReis(t *testing.T) {
	programs := published.Reis()
	if len(programs) != 4*3 {
		t.Errorf("%d programs, want 3 on each of 4 games", len(programs))
	}
	for _, p := range programs {
		for k, seconds := range p.Seconds {
			if k > 0 && seconds <= p.Seconds[k-1] {
				t.Errorf("%s of %s: %d iterations take %v s, fewer take %v s", p.Name, p.Game, (k+1)*p.Step, seconds, p.Seconds[k-1])
			}
		}
	}
	if last := programs[11]; last.Name != "GPU" || last.Game != "reis-d" || last.KiB != 1772470 || last.Step != 10 || last.Seconds[9] != 22.33925 {
		t.Errorf("the last program is %+v", last)
	}
}
