// Package betting is the public tree of a poker game without its cards: which
// betting sequences there are.
//
// An [Actions] is an action abstraction, the raises that a no-limit game's tree has by player,
// round and number of raises before; [ParseActions] has its notation. [Actions.Against] joins the
// raises of a player with those of the opponents that it is trained against. A [Shape] counts the
// sequences before anything large is allocated, and a [Tree] lists them in flat arrays. A [Line]
// walks through them without a tree. [Tree.Find] returns the node of a hand whose raises the tree
// has; [Tree.Translate] follows a hand with other raises.
package betting
