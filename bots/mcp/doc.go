// Package mcp lets language models play at a server of gamebots by the Model Context Protocol, and learn from what they
// have played: a [Player] has tools to begin games against the server's bots, to move, and to have finished games and
// hands judged, solved and rated.
//
// A Player is a client of the server like any other, with one account. The server keeps the rules, hides what the
// account does not see, and has the budgets. Beyond that a Player follows docs/fair-use.md more strictly than the
// server does: nothing that is still played is rated.
package mcp
