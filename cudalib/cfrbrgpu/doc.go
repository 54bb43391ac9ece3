// Package cfrbrgpu trains games of two players on a GPU by CFR-BR, see package cfrbr of
// the solvers.
package cfrbrgpu
