package remote

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
)

// answerRequest answers a worker.
func (r *run) answerRequest(m *nats.Msg) {
	var q ask
	if err := parameters(m.Header, &q); err != nil {
		r.Log.Warn().Err(err).Msg("not understood")
		return
	}
	var a answer
	var data []byte
	switch q.Op {
	case opWho:
		a = answer{Say: sayOwner, Text: r.who()}
	case opBlob:
		a, data = r.piece(q)
	default:
		if a = r.decide(q, m.Data); a.Say == "" {
			return // the result was not stored: it is the worker's still
		}
	}
	_ = m.RespondMsg(message(m.Reply, a, data)) // who gets no answer asks again
}

// piece answers with a piece of a spec.
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

// decide answers what is asked about an open job. All that is not open is done,
// or was never wanted.
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
	case opResult:
		return r.result(e, q, data)
	}
	return answer{Say: sayGone}
}

// start answers a worker that was given a job. Where another had it before, that
// one has died unless it is known to be at it.
func (r *run) start(e *entry, q ask) answer {
	if e.worker != "" && e.worker != q.Worker {
		switch alive, busy := r.workers.at(e.worker, place(r.tag, e.job.Shard)); {
		case busy, alive && time.Since(e.began) < 2*helloEvery: // it has not said so yet
			return answer{Say: sayBusy}
		case !alive:
			e.died++
			e.err = fmt.Errorf("%d workers died at it, the last on %s", e.died, r.workers.host(e.worker))
			if e.died >= deaths {
				r.giveUp(e)
				return answer{Say: sayDead}
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
	r.Log.Warn().Str("error", q.Error).Int("shard", e.job.Shard).Int("tries", e.fails).Msg("a job failed")
	if e.fails < cmp.Or(r.Tries, grid.DefaultTries) {
		return answer{Say: sayAgain}
	}
	r.giveUp(e)
	return answer{Say: sayDead}
}

// result takes a piece of a result. When it is whole it is stored, and only then
// the worker hears that it is done.
func (r *run) result(e *entry, q ask, data []byte) answer {
	if q.Blob == nil || q.Blob.Size < 0 {
		return answer{Say: sayGone}
	}
	p := e.parts[q.Worker]
	if p == nil || p.blob != *q.Blob {
		p = &part{blob: *q.Blob}
		e.parts[q.Worker] = p
	}
	if q.Offset == len(p.data) { // else it is a piece that came before
		p.data = append(p.data, data...)
	}
	if len(p.data) < p.blob.Size {
		return answer{Say: sayPiece, Offset: len(p.data)}
	}
	if !p.blob.is(p.data) {
		delete(e.parts, q.Worker)
		return r.fail(e, ask{Error: "its result was damaged on the way"})
	}
	if r.failed = r.done(e.job, p.data); r.failed != nil {
		return answer{}
	}
	r.stored++
	r.close(e)
	return answer{Say: sayDone}
}
