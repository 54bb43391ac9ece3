package nash

import "gamebots/solvers/nash/bimatrix"

// everyPair is one thread of Nguyen's program (2015). All threads go through all
// pairs of supports of size k in lexicographic order, and each solves those whose
// number modulo the number of threads is its own. One thread is his serial program.
// Both systems of a pair are solved before either is tested.
func (s *pairSearch) everyPair(k, thread int) {
	n, m := newSystem(k), newSystem(k)
	count := 0
	for rows, ok := firstSubset(k, s.rows); ok; rows, ok = nextSubset(rows, s.rows) {
		for cols, ok := firstSubset(k, s.cols); ok; cols, ok = nextSubset(cols, s.cols) {
			count++
			if count%s.Threads != thread {
				continue
			}
			if s.stopped.Load() {
				return
			}
			xs := n.solve(s.bt, s.rows, cols, rows)
			ys := m.solve(s.a, s.cols, rows, cols)
			if xs && ys && n.feasible(s.bt, s.cols, s.rows) && m.feasible(s.a, s.rows, s.cols) {
				s.OnCandidate(bimatrix.SetOf(rows), bimatrix.SetOf(cols))
			}
		}
	}
}

// firstSubset returns the first list of k numbers below n in lexicographic order.
func firstSubset(k, n int) (list []int, ok bool) {
	list = make([]int, k)
	for i := range list {
		list[i] = i
	}
	return list, k <= n
}

// nextSubset turns a list into the next one. It returns false after the last.
func nextSubset(list []int, n int) ([]int, bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] < n-len(list)+i {
			list[i]++
			for j := i + 1; j < len(list); j++ {
				list[j] = list[j-1] + 1
			}
			return list, true
		}
	}
	return list, false
}
