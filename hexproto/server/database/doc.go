// Package database has the SQLite file of a server of board games: its schema, its
// safety, and what a host does to it while a server runs or while none does.
//
// [Open] makes the file or takes it up, for the server that has its [Lock]. [Accounts], [RenewToken] and [RevokeToken]
// are for the host; a running server hears of new tokens through [TokenChanges].
// [Backup] copies the database while a server writes it.
//
// A [Query] is what the parameters of /records/ ask for, which docs/hexproto.md describes: lists of finished games and
// sums of their results. Every query walks an index from the newest game back and stops at its limit.
//
// An older file is migrated when a newer program opens it. The program first leaves a copy
// beside it, and migrates it in one transaction. A file of a later version is refused.
//
// The file and those beside it are readable by their owner only. They hold the hash
// of each token, and chat.
package database
