package limit

import (
	"time"

	"gamebots/internal/parallel"
)

// Flow bounds what payers use over time, such as bytes that are stored for them. Each has
// an amount, and regains it at a steady rate. Many payers may pay for one use: an account,
// and the networks from which it comes.
//
// A use is charged when its size is known, which may be after the fact. Who has too little
// left is then told by Wait how long to wait before the next one.
type Flow struct {
	rate, most float64
	uses       parallel.Guarded[uses]
}

// uses are what payers have used, by their keys.
type uses struct {
	of    map[any]*use
	sweep int // size at which what is regained is forgotten
}

// use is what a payer has used and not regained at a time.
type use struct {
	amount float64
	at     time.Time
}

// Payer is who uses a Flow, and how many times as much as an account it may use.
type Payer struct {
	Key   any
	Share float64
}

// NewFlow returns a flow with a rate each second, of which a payer has most at once.
func NewFlow(rate, most float64) *Flow {
	return &Flow{rate, most, parallel.Guard(uses{map[any]*use{}, 1000})}
}

// Wait returns how long it takes until all payers have an amount left.
func (f *Flow) Wait(at time.Time, amount float64, payers ...Payer) (wait time.Duration) {
	f.uses.With(func(us *uses) {
		for _, p := range payers {
			if u := us.of[p.Key]; u != nil {
				missing := f.spent(u, p, at) + amount - f.most*p.Share
				wait = max(wait, time.Duration(missing/(f.rate*p.Share)*float64(time.Second)))
			}
		}
	})
	return wait
}

// Charge counts an amount that payers have used, whether or not they had it left.
func (f *Flow) Charge(at time.Time, amount float64, payers ...Payer) {
	f.uses.With(func(us *uses) {
		for _, p := range payers {
			u := us.of[p.Key]
			if u == nil {
				if len(us.of) >= us.sweep {
					f.forget(us, at)
				}
				u = &use{}
				us.of[p.Key] = u
			}
			*u = use{f.spent(u, p, at) + amount, at}
		}
	})
}

// spent returns what a payer has used and not regained by a time.
func (f *Flow) spent(u *use, p Payer, at time.Time) float64 {
	return max(0, u.amount-at.Sub(u.at).Seconds()*f.rate*p.Share)
}

// forget forgets the payers that have regained everything.
func (f *Flow) forget(us *uses, at time.Time) {
	for key, u := range us.of {
		if f.spent(u, Payer{Share: 1}, at) == 0 {
			delete(us.of, key)
		}
	}
	us.sweep = max(1000, 2*len(us.of))
}

// Payers returns the networks of a client as payers. The wider ones may use twice and four times
// as much as its own.
func Payers(client string) []Payer {
	var payers []Payer
	share := float64(addressShare)
	for _, name := range Networks(client) {
		payers = append(payers, Payer{name, share})
		share *= 2
	}
	return payers
}

// addressShare is how many times as much as an account an address may use, because many
// people may come from one.
const addressShare = 4
