// Package checkpoint keeps trainings in files, so that they can go on after an
// interruption as if there had been none.
//
// A checkpoint says what is trained, and how, in a [Meta], followed by whatever
// a [State] writes of itself. [Write] replaces an older checkpoint in one step:
// killed at any moment, a training loses what it did since the last one and no
// more. [Read] refuses a file that is damaged or cut short, or that belongs to
// another training, before or while the state is read; after an error the state
// must not be used.
//
// A [Schedule] says when to write one.
//
// The format is described in docs/checkpoint-file.md. Checksums (xxh3) guard
// against accidents, not against malice.
package checkpoint
