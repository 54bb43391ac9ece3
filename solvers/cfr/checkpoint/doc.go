// Package checkpoint saves trainings in files, so that they can go on after an
// interruption as if there had been none.
//
// A checkpoint has a [Meta], which describes the training, and the data that a [State]
// writes. [Write] replaces an older checkpoint in one step: a training that is killed
// at any moment loses no more than the work since the last one. [Read] refuses a file
// that is damaged, cut short or of another training, before or while the state is
// read. After an error the state must not be used.
//
// A [Schedule] is when to write checkpoints.
//
// The format is described in docs/checkpoint-file.md. Checksums (xxh3) guard
// against accidents, not against malice.
package checkpoint
