package remote

import (
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/bots/grid"
)

// However many results workers claim under whatever names, their parts are within the owner's
// budget. Parts that do not grow make room, and results of others arrive.
func TestPartsAreWithinABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget = 10_000
		stored := 0
		r := &run{
			Owner: &Owner{}, log: slog.New(slog.DiscardHandler), open: map[int]*entry{}, budget: budget,
			done: func(grid.Job, []byte) error { stored++; return nil },
		}
		const jobs = 20
		for shard := range jobs {
			r.open[shard] = &entry{job: grid.Job{Shard: shard}, parts: map[string]*part{}}
		}
		held := func() (n int) {
			for _, e := range r.open {
				for _, p := range e.parts {
					n += len(p.data)
				}
			}
			return n
		}
		send := func(worker string, shard, offset int, b *blob, data []byte) string {
			a := r.decide(ask{Op: opResult, Worker: worker, Shard: shard, Blob: b, Offset: offset}, data)
			if held() > budget || r.claimed > budget {
				t.Fatalf("the parts have %d bytes, and %d are claimed", held(), r.claimed)
			}
			return a.Say
		}
		busy := 0
		for shard := range jobs {
			for id := range 2 * maxParts {
				b := &blob{Sum: fmt.Sprint(id), Size: 900}
				if say := send(fmt.Sprint("evil", id), shard, 0, b, make([]byte, 800)); say == sayBusy {
					busy++
				}
				send(fmt.Sprint("evil", id), shard, 0, &blob{Sum: "another", Size: 900}, make([]byte, 800))
			}
		}
		if busy == 0 || held() < budget/2 {
			t.Errorf("%d times busy, with %d bytes", busy, held())
		}
		result := make([]byte, 5000)
		if say := send("good", 3, 0, blobOf(result), result[:4000]); say != sayBusy {
			t.Errorf("without room: %s", say)
		}
		time.Sleep(keepResult + time.Second)
		if say := send("good", 3, 0, blobOf(result), result[:4000]); say != sayPiece {
			t.Errorf("with room: %s", say)
		}
		if say := send("good", 3, 4000, blobOf(result), result[4000:]); say != sayDone || stored != 1 {
			t.Errorf("at its end: %s, %d results", say, stored)
		}
		for shard := range jobs {
			if shard != 3 {
				whole := make([]byte, budget)
				if say := send("good", shard, 0, blobOf(whole), whole); say != sayDone {
					t.Errorf("job %d: %s", shard, say)
				}
			}
		}
		if r.claimed != 0 || stored != jobs {
			t.Errorf("in the end %d bytes are claimed, %d results", r.claimed, stored)
		}
		r.open[0] = &entry{parts: map[string]*part{}}
		if say := send("evil", 0, 0, &blob{Size: budget + 1}, nil); say != sayAgain {
			t.Errorf("more than the budget: %s", say)
		}
	})
}
