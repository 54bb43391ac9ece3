// Package nashgpu searches for the equilibria of bimatrix games on a GPU: [Labels]
// by complementary labels of the best-response polytopes, [Supports] by pairs of
// supports. What they find are candidates, for solvers/nash to verify.
package nashgpu
