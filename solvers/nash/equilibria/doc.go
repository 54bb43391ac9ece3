// Package equilibria finds equilibria of any game in normal form by a method of one's choice, and
// writes them for people and as JSON.
//
//	g, err := game.GenerateFor(game.Recipe{Family: "RandomGame"}, 3, 3, 3)
//	answer, err := equilibria.Find(ctx, g, equilibria.Spec{})
//	err = answer.WriteText(os.Stdout)
//
// A [Method] of two players is one of package nash, the default. More players are for package
// multiplayer. Packages polymatrix and path have the other methods.
package equilibria
