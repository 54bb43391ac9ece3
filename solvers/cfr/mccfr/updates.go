package mccfr

import "slices"

// updates are changes of information sets that have not been made yet.
type updates struct {
	sets    []updatedSet
	changes []float32 // changes of each set, by action
	// made is how many sets are done, and changed how many changes.
	made, changed int
}

// updatedSet is an information set that an iteration of a batch changes.
type updatedSet struct {
	entry     int   // the first
	iteration int32 // iteration within the batch
	actions   int32
}

// add adds an information set, and returns its changes, which the caller has to set.
func (u *updates) add(set updatedSet) []float32 {
	u.sets = append(u.sets, set)
	end := len(u.changes)
	u.changes = slices.Grow(u.changes, int(set.actions))[:end+int(set.actions)]
	return u.changes[end:]
}

// drain calls add with the changes of all iterations before the given one of the batch that
// it has not been called with. Done is the number of iterations before the batch.
func (u *updates) drain(end int32, done uint64, add func(entry int, change []float32, iteration uint64)) {
	changes := u.changes[u.changed:]
	for u.made < len(u.sets) && u.sets[u.made].iteration < end {
		set := &u.sets[u.made]
		add(set.entry, changes[:set.actions], done+uint64(set.iteration))
		changes = changes[set.actions:]
		u.made++
	}
	u.changed = len(u.changes) - len(changes)
}

// clear forgets all changes.
func (u *updates) clear() { u.sets, u.changes, u.made, u.changed = u.sets[:0], u.changes[:0], 0, 0 }

// shardOf returns the shard of an entry. Those of a cache line have the same one.
func shardOf(entry, shards int) int {
	const golden = 0x9E3779B1 // spreads lines that are visited often
	return int(uint64(uint32(entry>>4)*golden) * uint64(shards) >> 32)
}
