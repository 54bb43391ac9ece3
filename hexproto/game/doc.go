// Package game defines the interfaces of board games to servers, arenas and bots: Rules
// and Game. The standard library and the messages of
// [gamebots/hexproto/wire] are all that it needs.
//
// [Rules] are a kind of game. Their New starts a [Game] with options. Most rules
// have one player to move in each turn; where both move at once, ToMove names both
// seats.
//
// Rules with chance are a [Dealer]. Its games are drawn from a seed, and a [Hidden] one
// shows each seat something else.
//
// A Game is never stored. A server keeps its options and its moves, and plays them
// again: the same options and moves must always give the same game.
//
// A [wire.Board] describes the part of a position that never changes, a
// [wire.View] the part that does. The page draws the kinds of board that
// docs/hexproto.md lists, and shows text and buttons for any other.
//
// Rules that can rate moves are an [Analyst] too. The rules of Havannah, Nim and
// matrix games are in [gamebots/hexproto/boards].
package game
