// Package checkpoint saves the state of training in files, so that it can be resumed
// after an interruption as if there had been none.
//
// A checkpoint has a [Meta], which describes the training run, and the data that a [State]
// writes. [Write] replaces an older checkpoint in one step: a run that is killed at any
// moment loses no more than the work since the last one. [Read] refuses a file that is
// damaged, cut short or of a different run, before or while the state is read. After an
// error the state must not be used.
//
// [Claim] protects the file that a training writes, beside which its checkpoint is.
//
// A [Schedule] says when to write checkpoints.
//
// The format is described in docs/checkpoint-file.md. Checksums (xxh3) guard
// against accidents, not against malice.
package checkpoint
