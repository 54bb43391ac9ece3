package server

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// What the lock guards has no name without it: code of this package that would change a table, an account of a name or
// a challenge outside of an operation does not compile.
func TestGuarded(t *testing.T) {
	const guard = "gamebots/internal/parallel"
	snippets := []struct{ name, code, want string }{
		{"the tables", `func _(s *Server) { s.games.tables["g"].result = nil }`, "s.games undefined"},
		{"the accounts", `func _(s *Server) { delete(s.accounts.byName, "ada") }`, "s.accounts undefined"},
		{"the challenges", `func _(s *Server) { s.lobby.challenges = nil }`, "s.lobby undefined"},
		{"a field", `func _(s *Server) { s.state.value.stopping = true }`, "undefined"},
		{"a bot's table", `func _(p *botPlayer) { p.table.result = nil }`, "p.table.result undefined"},
		{"a reference", `func _(p *botPlayer) { p.table.to.result = nil }`, "undefined"},
		{"of an account", `func _(a *account) { for t := range a.tables { t.rated = true } }`, "t.rated undefined"},
		{"an owed state", `func _(c *conn) { for t := range c.owed { t.offers = nil } }`, "t.offers undefined"},
		{"a written table", `func _(tx transaction) { tx.game.clocks.left[0] = 0 }`, "tx.game.clocks undefined"},
		{"an operation", `func _(s *Server) { s.locked(func(tx *transaction) { tx.games.tables["g"].slept++ }) }`, ""},
		{"a reader", `func _(s *Server) { s.state.With(func(st *state) { _ = st.games.tables["g"].result }) }`, ""},
		{"a bot that has the lock",
			`func _(p *botPlayer, tx *transaction) { p.table.Under(&tx.games).result = nil }`, ""},
	}
	fset := token.NewFileSet()
	parse := func(names []string) (files []*ast.File) {
		for _, name := range names {
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		return files
	}
	sources := func(folder string) []string {
		names, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the pattern is sound
		var product []string
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				product = append(product, name)
			}
		}
		return product
	}
	files := parse(sources("."))
	for i, s := range snippets {
		file, err := parser.ParseFile(fset, s.name, "package server\n"+s.code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files, snippets[i].name = append(files, file), s.name
	}
	// Other packages stay unknown, so that what is wrong with their names is no error here.
	found := map[string]string{}
	config := types.Config{Error: func(err error) {
		if e := new(types.Error); errors.As(err, e) {
			found[fset.Position(e.Pos).Filename] += e.Msg + "\n"
		}
	}}
	known, _ := config.Check(guard, fset, parse(sources("../../internal/parallel")), nil)
	config.Importer = importOnly{known}
	_, _ = config.Check("gamebots/hexproto/server", fset, files, nil)
	c := &core{budgets: newBudgets(Limits{})}
	var kept *transaction
	c.locked(func(tx *transaction) { kept = tx })
	if kept.state != nil {
		t.Error("an operation that is over has the state")
	}
	for _, s := range snippets {
		if got := found[s.name]; !strings.Contains(got, s.want) || s.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
	}
}

// importOnly imports one package.
type importOnly struct{ known *types.Package }

func (i importOnly) Import(path string) (*types.Package, error) {
	if path == i.known.Path() {
		return i.known, nil
	}
	return nil, errors.New("unknown")
}
