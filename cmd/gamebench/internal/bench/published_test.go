package bench

import (
	"testing"
)

func TestReis(t *testing.T) {
	programs := reisPrograms()
	if len(programs) != 4*3 {
		t.Errorf("%d programs, want 3 on each of 4 games", len(programs))
	}
	for _, p := range programs {
		for k, seconds := range p.Seconds {
			if k > 0 && seconds <= p.Seconds[k-1] {
				t.Errorf("%s of %s: %d iterations take %v s, fewer take %v s", p.Name, p.Game, (k+1)*p.Step,
					seconds, p.Seconds[k-1])
			}
		}
	}
	if last := programs[11]; last.Name != "GPU" || last.Game != "reis-d" || last.KiB != 1772470 || last.Step != 10 ||
		last.Seconds[9] != 22.33925 {
		t.Errorf("the last program is %+v", last)
	}
}

func TestWerner(t *testing.T) {
	times := wernerTimes()
	if len(times) != 11 ||
		times[7] != (wernerTime{Playouts: 100, Device: "Core 2 Duo E8400", Threads: 1, Seconds: 96.56}) {
		t.Errorf("times %+v", times)
	}
}

func TestBuzerCazenave(t *testing.T) {
	if gain, ok := buzerGain(2, 10); gain != 521 || !ok {
		t.Errorf("level 2, dimension 10: %v, %v", gain, ok)
	}
	if gain, ok := buzerGain(2, 11); ok {
		t.Errorf("level 2, dimension 11: %v", gain)
	}
}

func TestNguyen(t *testing.T) {
	programs := nguyenPrograms()
	for _, p := range programs {
		if len(p.Seconds) != len(nguyenSizes) {
			t.Errorf("%d threads: %d times", p.Threads, len(p.Seconds))
		}
	}
	if first := programs[0]; len(programs) != 6 || first.Threads != 1 || first.Seconds[6] != 1908.015 {
		t.Errorf("%d programs, the first %+v", len(programs), first)
	}
}

func TestFiorella(t *testing.T) {
	times := fiorellaTimes()
	last := map[[2]int]float64{} // last value by version and depth
	for _, p := range times {
		if key := [2]int{p.Version, p.Depth}; p.Milliseconds < last[key] {
			t.Errorf("%+v takes less than fewer rows", p)
		} else {
			last[key] = p.Milliseconds
		}
	}
	if len(times) != 28 || times[25] != (fiorellaTime{Version: 4, Depth: 7, Rows: 8, Milliseconds: 3829.33}) {
		t.Errorf("%d times, %+v", len(times), times)
	}
	if s := fiorellaSavings(); len(s) != 2 || s[1].Percent != 63.65 {
		t.Errorf("savings %v", s)
	}
}
