package remote

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
)

// answerRequest answers a request of a worker.
func (r *run) answerRequest(m *nats.Msg) {
	var q ask
	if err := parameters(m.Header, &q); err != nil {
		r.log.Warn("not understood", "error", err)
		return
	}
	var a answer
	var data []byte
	switch q.Op {
	case opOwner:
		a = answer{Say: sayOwner, Text: r.describe()}
	case opBlob:
		a, data = r.piece(q)
	default:
		if a = r.decide(q, m.Data); a.Say == "" {
			return // the result was not stored: the worker keeps it
		}
	}
	_ = m.RespondMsg(message(m.Reply, a, data)) // lost answers are asked for again
}

// piece answers with a piece of a blob.
func (r *run) piece(q ask) (answer, []byte) {
	if q.Blob == nil {
		return answer{Say: sayGone}, nil
	}
	data, ok := r.blobs[q.Blob.Sum]
	if !ok || q.Offset < 0 || q.Offset > len(data) {
		return answer{Say: sayGone}, nil
	}
	return answer{Say: sayPiece, Offset: q.Offset}, data[q.Offset:min(q.Offset+pieceSize, len(data))]
}

// decide answers a request about a job. A job that is not open is done, or was never
// wanted.
func (r *run) decide(q ask, data []byte) answer {
	e := r.open[q.Shard]
	if e == nil {
		return answer{Say: sayDone}
	}
	e.heard = time.Now()
	switch q.Op {
	case opStart:
		return r.start(e, q)
	case opReturn:
		if e.worker == q.Worker {
			e.worker = ""
		}
		return answer{Say: sayAgain}
	case opFailed:
		return r.fail(e, q)
	case opRefuse:
		return r.refuse(e, q)
	case opResult:
		return r.result(e, q, data)
	}
	return answer{Say: sayGone}
}

// start answers a worker that received a job. If another worker had the job, that one
// has died, unless its hellos say otherwise.
func (r *run) start(e *entry, q ask) answer {
	if e.worker != "" && e.worker != q.Worker {
		switch alive, busy := r.workers.at(e.worker, jobKey(r.tag, e.job.Shard)); {
		case busy, alive && time.Since(e.began) < 2*helloEvery: // its next hello will list the job
			return answer{Say: sayBusy}
		case !alive:
			e.died++
			e.err = fmt.Errorf("%d workers died at it, the last on %s", e.died, r.workers.host(e.worker))
			if e.died >= maxDeaths {
				r.giveUp(e)
				return answer{Say: sayGivenUp}
			}
		}
	}
	e.worker, e.began = q.Worker, time.Now()
	return answer{Say: sayGo}
}

// fail notes that a job failed.
func (r *run) fail(e *entry, q ask) answer {
	e.worker = ""
	e.fails++
	e.err = errors.New(q.Error)
	r.log.Warn("a job failed", "error", q.Error, "shard", e.job.Shard, "tries", e.fails)
	if e.fails < cmp.Or(r.Tries, grid.DefaultTries) {
		return answer{Say: sayAgain}
	}
	r.giveUp(e)
	return answer{Say: sayGivenUp}
}

// refuse notes that a worker does not do a job. The job goes to other workers, and is
// given up when there are none, once all have had the time to say hello.
func (r *run) refuse(e *entry, q ask) answer {
	if e.worker == q.Worker {
		e.worker = ""
	}
	if e.refused == nil {
		e.refused = map[string]bool{}
	}
	e.refused[q.Worker] = true
	e.err = errors.New(q.Error)
	if r.workers.firstRefusal(q.Worker) {
		r.log.Warn("a worker refuses jobs", "error", q.Error, "host", r.workers.host(q.Worker), "worker", q.Worker)
	}
	if r.refusedAt.IsZero() {
		r.refusedAt = time.Now()
	}
	if r.workers.all(e.refused) && time.Since(r.refusedAt) > helloEvery {
		r.giveUp(e)
		return answer{Say: sayGivenUp}
	}
	return answer{Say: sayLater}
}

// result receives a piece of a result. A complete result is stored before the worker
// is told that the job is done.
func (r *run) result(e *entry, q ask, data []byte) answer {
	if q.Blob == nil || q.Blob.Size < 0 {
		return answer{Say: sayGone}
	}
	if most := min(maxResult, r.budget); q.Blob.Size > most {
		return r.fail(e, ask{Error: fmt.Sprintf("its result has %d bytes, more than %d", q.Blob.Size, most)})
	}
	p := e.parts[q.Worker]
	if p == nil || p.blob != *q.Blob {
		r.dropPart(e, q.Worker)
		if len(e.parts) >= maxParts || !r.hasRoom(q.Blob.Size) {
			return answer{Say: sayBusy}
		}
		p = &part{blob: *q.Blob}
		e.parts[q.Worker] = p
		r.claimed += p.blob.Size
	}
	p.heard = time.Now()
	if q.Offset == len(p.data) { // else a repeated piece
		p.data = append(p.data, data...)
	}
	if len(p.data) < p.blob.Size {
		return answer{Say: sayPiece, Offset: len(p.data)}
	}
	if !p.blob.is(p.data) {
		r.dropPart(e, q.Worker)
		return r.fail(e, ask{Error: "its result was damaged on the way"})
	}
	if r.failed = r.done(e.job, p.data); r.failed != nil {
		return answer{}
	}
	r.stored++
	r.close(e)
	return answer{Say: sayDone}
}

// hasRoom reports whether another part may claim a size. It drops parts that do not grow any more
// if it needs their room.
func (r *run) hasRoom(size int) bool {
	if r.claimed+size > r.budget {
		for _, e := range r.open {
			for worker, p := range e.parts {
				if time.Since(p.heard) > keepResult {
					r.dropPart(e, worker)
				}
			}
		}
	}
	return r.claimed+size <= r.budget
}

// dropPart forgets what a worker has sent of a result, if anything.
func (r *run) dropPart(e *entry, worker string) {
	if p := e.parts[worker]; p != nil {
		r.claimed -= p.blob.Size
		delete(e.parts, worker)
	}
}
