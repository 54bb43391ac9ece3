package parallel

import (
	"sync"
	"testing"
)

// panics reports whether a function panics.
func panics(f func()) (fault bool) {
	defer func() { fault = recover() != nil }()
	f()
	return false
}

// Many goroutines change a value one after the other, also once one of them has panicked.
func TestGuarded(t *testing.T) {
	v := Guard(100)
	if !panics(func() { v.With(func(n *int) { *n++; panic("a fault") }) }) {
		t.Error("a fault is hidden")
	}
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() { v.With(func(n *int) { *n++ }) })
	}
	all.Wait()
	if n := Get(&v, func(n *int) int { return *n }); n != 1101 {
		t.Errorf("the value is %d", n)
	}
}

// A reference is good for who has the value to which it belongs, and for nobody else.
func TestRef(t *testing.T) {
	type room struct{ table *int }
	first, second := 1, 1
	v := Guard(room{&first})
	ref := To[room](&first)
	if ref != To[room](&first) || ref == To[room](&second) {
		t.Error("references are equal that are to others, or the other way round")
	}
	if got := Get(&v, ref.Under); got != &first {
		t.Error("the reference is to something else")
	}
	if !panics(func() { ref.Under(nil) }) {
		t.Error("a reference gives away what it is to")
	}
}
