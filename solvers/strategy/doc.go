// Package strategy keeps trained strategies in files: what was trained, and
// how, followed by one flat array of action probabilities.
//
// The package stores numbers and knows no game. Which probability stands where
// in the array is the business of the solver that made it; the game's full
// definition is in the file, so that nobody plays a strategy of one game in
// another.
//
// [Write] makes a file from a callback, block by block, and replaces an older
// one in one step: a reader sees the old file or the new one, whole.
// [Open] maps a file into memory after checking everything but the
// probabilities themselves, so that it takes no longer for a large file than
// for a small one, the index aside. [File.Read] then decompresses only the
// blocks that it is asked for, and checks each against its checksum;
// [File.Verify] checks them all at once, which a bot wants done before the
// match and not during it.
//
// A file that cannot be used is refused with an error that wraps one of
// [ErrForeign], [ErrVersion], [ErrTruncated], [ErrCorrupt] and [ErrOtherGame]
// and names the file and the place. The checksums (xxh3) guard against
// accidents, not against malice; a file made with intent to harm can hold bad
// numbers, but it cannot make the reader panic or take memory out of
// proportion to its own size.
//
// The format is described byte by byte in docs/strategy-file.md. The same
// metadata and values give the same bytes, whatever the machine, as long as
// the compressor stays at one release.
package strategy
