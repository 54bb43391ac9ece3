// Package strategy stores trained strategies in files: a description of the training,
// followed by one flat array of action probabilities.
//
// The package stores numbers and knows no game. The solver that wrote a file decides
// the order of the array. The game's full definition is in the file, so that a strategy
// is not played in another game.
//
// [Write] writes a file from a callback, block by block, and replaces an older one in
// one step: a reader sees the old file or the new one, whole. [Open] maps a file into
// memory and checks everything but the probabilities, so it takes no longer for a large
// file than for a small one, the index aside. [File.Read] decompresses only the blocks
// that it needs, and checks each against its checksum. [File.Verify] checks all of them,
// which a bot should do before a match and not during it.
//
// A file that cannot be used is refused with an error that wraps one of
// [ErrForeign], [ErrVersion], [ErrTruncated], [ErrCorrupt] and [ErrOtherGame] and names
// the file and the place. The checksums (xxh3) guard against accidents, not against
// malice: a malicious file can hold bad numbers, but it cannot make the reader panic or
// use memory out of proportion to its size.
//
// The format is described byte by byte in docs/strategy-file.md. The same
// metadata and values give the same bytes on every machine, with the same release of
// the compressor.
package strategy
