// Package poker has poker players. They decide for a seat, whether the table is in this
// process or behind a connection.
//
// A [Strategy] is an [acpc.Player] that plays a policy, and may solve the last rounds at the
// table ([NewResolving]). The plain opponents of [NewOpponent] are baselines.
package poker
