// Package poker has poker players. They decide for a seat, whether the table is in this
// process or behind a connection.
//
// A [PolicyPlayer] is an [acpc.Player] that plays a policy. A [Resolver] may solve the last rounds for it
// at the table: package resolving makes such players. The plain opponents of [NewOpponent] are
// baselines.
package poker
