package page_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gamebots/hexproto/server/page"
)

// folder returns files by name.
func folder(files map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

func TestScript(t *testing.T) {
	all, err := page.Bundle(folder(map[string]string{
		"js/main.js":    "import { a, b as c } from \"./views/a.js\";\nimport \"./d.js\";\nc(a);\n",
		"js/views/a.js": "import { D } from \"../d.js\";\nexport const a = new D();\nexport async function b() {}\n",
		"js/d.js":       "export class D {}\n",
		"js/other.js":   "nobody imports it",
	}), "js/main.js")
	if err != nil {
		t.Fatal(err)
	}
	const want = `// js/d.js
const module0 = await (async () => {
class D {}

return { D };
})();
// js/views/a.js
const module1 = await (async () => {
const { D } = module0;
const a = new D();
async function b() {}

return { a, b };
})();
// js/main.js
const module2 = await (async () => {
const { a, b: c } = module1;

c(a);

return {  };
})();
`
	if got := string(all["js/main.js"]); got != want {
		t.Errorf("the bundle is\n%s", got)
	}
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, []string{"js/d.js", "js/main.js", "js/views/a.js"}) {
		t.Errorf("it has %q", got)
	}
}

func TestRefused(t *testing.T) {
	for want, main := range map[string]string{
		"js/main.js imports itself through other modules": "import \"./main.js\";",
		"js/gone.js":                         "import \"./gone.js\";",
		`"export default 1;" is no import`:   "export default 1;",
		`"import a from \"./x.js\";" is no`:  "import a from \"./x.js\";",
		"js/sub/m.js asks for its address":   "import \"./sub/m.js\";",
		`"export { a };" is no import or ex`: "const a = 1;\nexport { a };",
	} {
		_, err := page.Bundle(folder(map[string]string{
			"js/main.js": main, "js/sub/m.js": "f(import.meta.url);",
		}), "js/main.js")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", main, err)
		}
	}
}

func TestStyle(t *testing.T) {
	files := folder(map[string]string{
		"css/page.css": "/* all */\n@import \"a.css\";\n@import \"b.css\";\n", "css/a.css": "a {}", "css/b.css": "b {}",
	})
	all, err := page.Bundle(files, "css/page.css")
	if err != nil || string(all["css/page.css"]) != "/* all */\na {}\nb {}\n" || len(all) != 3 {
		t.Errorf("%q, %v", all, err)
	}
	delete(files, "css/b.css")
	if _, err := page.Bundle(files, "css/page.css"); err == nil {
		t.Error("a sheet is not there, and the bundle is made")
	}
}
