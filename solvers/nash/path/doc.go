// Package path follows paths of mixed strategies to one Nash equilibrium of a game with any
// number of players.
//
// [Logit] starts where everybody plays at random and follows the logit quantal response
// equilibria (McKelvey and Palfrey, Games and Economic Behavior 1995) as players become more
// precise, in the way of Turocy, "A dynamic homotopy interpretation of the logistic quantal
// response equilibrium correspondence", Games and Economic Behavior 2005. [GlobalNewton] starts
// from a game in which a bonus makes one strategy of each player dominant, and follows its
// equilibria as the bonus vanishes (Govindan and Wilson, "A global Newton method to compute
// Nash equilibria", Journal of Economic Theory 2003).
//
// Both compute in floats. The equilibrium at the end is certified, or if it is degenerate, has at
// least a proved bound of its regret: see [multiplayer.Near]. There may be others.
package path
