package parallel

// Ahead makes the values of a sequence ahead of their use, each in a goroutine of its own. It is
// used by one goroutine at a time.
type Ahead[T any] struct {
	value func(at uint64) T
	step  uint64
	more  int
	// made are the values from first on.
	made  []chan T
	first uint64
}

// NewAhead returns a sequence of the values at every step-th place, of which this many more are
// made while one is used. Value is called by several goroutines at once.
func NewAhead[T any](value func(at uint64) T, step uint64, more int) *Ahead[T] {
	return &Ahead[T]{value: value, step: step, more: more}
}

// Next returns the value at a place, and begins to make those that follow.
func (a *Ahead[T]) Next(at uint64) T {
	if a.first != at {
		a.Wait()
		a.first = at
	}
	for len(a.made) <= a.more {
		made, next := make(chan T, 1), at+uint64(len(a.made))*a.step
		a.made = append(a.made, made)
		go func() { made <- a.value(next) }()
	}
	value := <-a.made[0]
	a.made, a.first = a.made[1:], at+a.step
	return value
}

// Wait drops what is made ahead, and returns when nothing is being made any more.
func (a *Ahead[T]) Wait() {
	for _, made := range a.made {
		<-made
	}
	a.made = nil
}
