package gamebots

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// claimsFile has a row for each figure of the summaries. A row is of one of three kinds:
//
//   - measured by this program: the command that makes the figure, the commit, the machine, the interval or the number
//     of runs, the date, and the page or the data that has the figure
//   - published by others: the publication in place of the command, and a page of ours that has the figure
//   - a definition: a size, a setting or a name, which nobody measures
const claimsFile = "docs/results/claims.csv"

// summaries are the pages whose figures are claims.
var summaries = []string{"README.md", "docs/benchmarks/README.md", "configs/strategies/README.md"}

var claimColumns = []string{
	"page", "figure", "kind", "says", "command or publication", "commit", "machine", "interval", "date", "source",
}

// claim is a row of claimsFile.
type claim struct {
	page, figure, kind, says                 string
	command, commit, machine, interval, date string
	source                                   string
}

var (
	indentedPattern   = regexp.MustCompile(`\n\n(?:    .*(?:\n|$))+`)
	inlineCodePattern = regexp.MustCompile("`[^`]*`")
	numberInCode      = regexp.MustCompile("^`[^\\pL-]*\\pN") // it is no code
	targetPattern     = regexp.MustCompile(`\]\([^)\s]*\)`)
	tagPattern        = regexp.MustCompile(`</?[a-zA-Z][^>]*>`)
	spacePattern      = regexp.MustCompile(`\s+`)

	// numberPattern matches a number with its sign, unless it is a part of a word, as in H200.
	numberPattern = regexp.MustCompile(`(?:^|[^\pL\d.,−])(−?\d+(?:[.,]\d+)*%?)`)

	// figurePattern matches a number in digits, and what words say instead: large numbers, factors and times.
	figurePattern = regexp.MustCompile(`(?i)\pN+(?:[.,]\d+)*|\b(?:hundred|thousand|million|billion|dozen)s?\b|` +
		`\b(?:twice|thrice|tenfold|percent)\b|` +
		`\b(?:(?:milli|micro|nano)?seconds|minutes?|hours?|days?|weeks?)\b|\b(?:a|one|each|every|half a) second\b`)

	commandPattern = regexp.MustCompile(`^(?:gamebots|gamebench|go build|go test|make|[A-Z_]+=\S+ go test) ?\S*`)
	commitPattern  = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	// measuredPattern matches what no definition has: a bound, a share, a speed, a short time, winnings or a size.
	measuredPattern = regexp.MustCompile(`±|%|/s\b|(?:\d|illion|thousand) a second|\d (?:[nµm]s|mb|[KMG]iB)\b`)
)

// prose returns the text of a page in which figures are claims: without code, targets of links and tags, and with
// single spaces. What is taken out leaves a mark, so that no figure is put together from what stood around it.
func prose(page string) string {
	const mark = "·"
	for _, p := range []*regexp.Regexp{fencePattern, indentedPattern, inlineCodePattern, targetPattern, tagPattern} {
		page = p.ReplaceAllStringFunc(page, func(found string) string {
			if numberInCode.MatchString(found) {
				return found
			}
			return mark
		})
	}
	return spacePattern.ReplaceAllString(page, " ")
}

// places returns where a figure is in a text, as a whole: not as a part of a word or of a longer number.
func places(text, figure string) [][]int {
	before, after := `(?:^|[^\pL\d.,−]|[^\d][.,])`, `(?:$|[^\pL\d.,%]|[.,](?:[^\d]|$))`
	pattern := regexp.MustCompile(before + `(` + regexp.QuoteMeta(figure) + `)` + after)
	var found [][]int
	for from := 0; from < len(text); {
		m := pattern.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		found = append(found, []int{from + m[2], from + m[3]})
		from += m[3]
	}
	return found
}

// blocks returns the parts of a file, each of which may be the source of a claim: the paragraphs and the rows of tables
// of a page, and the lines of data.
func blocks(file, source string) []string {
	if path.Ext(file) != ".md" {
		return strings.Split(source, "\n")
	}
	var all []string
	for paragraph := range strings.SplitSeq(source, "\n\n") {
		var text []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, "|") {
				all = append(all, line)
			} else {
				text = append(text, line)
			}
		}
		all = append(all, strings.Join(text, " "))
	}
	return all
}

// stated reports whether a part of a source has all numbers of a figure, or the words of one without numbers.
func stated(figure, file, source string) bool {
	var all []string
	for _, m := range numberPattern.FindAllStringSubmatch(figure, -1) {
		all = append(all, m[1])
	}
	if len(all) == 0 {
		all = append(all, figure)
	}
	return slices.ContainsFunc(blocks(file, source), func(block string) bool {
		return !slices.ContainsFunc(all, func(part string) bool { return len(places(block, part)) == 0 })
	})
}

// faults returns what is wrong with the claims of a page.
func faults(page, text string, claims []claim, read func(file string) (string, error)) []string {
	var all []string
	fault := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	text = prose(text)
	covered := make([]bool, len(text))
	for _, c := range claims {
		for _, f := range c.faults(read) {
			fault("%q: %s", c.figure, f)
		}
		found := places(text, c.figure)
		switch {
		case len(found) == 0:
			fault("%q is not in %s", c.figure, page)
		case len(found) > 1 && (c.kind != "definition" || !regexp.MustCompile(`\pL`).MatchString(c.figure)):
			fault("%q is in %s %d times; a claim is about one place", c.figure, page, len(found))
		}
		for _, place := range found {
			for i := place[0]; i < place[1]; i++ {
				covered[i] = true
			}
		}
	}
	for _, m := range figurePattern.FindAllStringIndex(text, -1) {
		if slices.Contains(covered[m[0]:m[1]], false) {
			fault("%s has a figure without a claim: … %s …", page, text[max(0, m[0]-40):min(len(text), m[1]+40)])
		}
	}
	return all
}

// faults returns what is wrong with a claim by itself, and beside its source.
func (c claim) faults(read func(file string) (string, error)) []string {
	var all []string
	need := func(name, value string) {
		if value == "" {
			all = append(all, "no "+name)
		}
	}
	need("meaning", c.says)
	if !figurePattern.MatchString(c.figure) {
		all = append(all, "no figure")
	}
	switch c.kind {
	case "measured":
		need("machine", c.machine)
		need("interval or number of runs", c.interval)
		if !commandPattern.MatchString(c.command) {
			all = append(all, fmt.Sprintf("%q is no command", c.command))
		}
		if !commitPattern.MatchString(c.commit) {
			all = append(all, fmt.Sprintf("%q is no commit", c.commit))
		}
		if _, err := time.Parse(time.DateOnly, c.date); err != nil {
			all = append(all, fmt.Sprintf("%q is no date", c.date))
		}
	case "published":
		need("publication", c.command)
		if c.commit != "" {
			all = append(all, "a published figure has no commit of ours")
		}
	case "definition":
		if c.command+c.commit+c.machine+c.interval+c.date+c.source != "" {
			all = append(all, "a definition is not measured")
		}
		if c.figure != "95% intervals" && measuredPattern.MatchString(c.figure) {
			all = append(all, "this is measured, not defined")
		}
		return all
	default:
		return append(all, fmt.Sprintf("%q is no kind of claim", c.kind))
	}
	if slices.Contains(summaries, c.source) || c.source == claimsFile || !strings.HasPrefix(c.source, "docs/") {
		return append(all, fmt.Sprintf("%q is no page or data of docs that is summarised", c.source))
	}
	switch source, err := read(c.source); {
	case err != nil:
		all = append(all, err.Error())
	case !stated(c.figure, c.source, source):
		all = append(all, c.source+" does not say so")
	}
	return all
}

// readClaims reads the rows of claimsFile by their pages.
func readClaims(t *testing.T) map[string][]claim {
	t.Helper()
	data, err := os.ReadFile(claimsFile)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows[0], claimColumns) {
		t.Fatalf("%s has the columns %q, not %q", claimsFile, rows[0], claimColumns)
	}
	all := map[string][]claim{}
	for _, r := range rows[1:] {
		all[r[0]] = append(all[r[0]], claim{r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]})
	}
	return all
}

func readText(file string) (string, error) {
	if ext := path.Ext(file); ext != ".md" && ext != ".csv" && ext != ".txt" {
		return "", fmt.Errorf("%q is neither a page nor data", file)
	}
	text, err := os.ReadFile(file)
	return string(text), err
}

// Every figure of a summary is a claim with its origin, and the page or data that it summarises has the figure, too.
func TestClaims(t *testing.T) {
	all := readClaims(t)
	for _, page := range summaries {
		text, err := readText(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults(page, text, all[page], readText) {
			t.Errorf("%s: %s", claimsFile, f)
		}
		delete(all, page)
	}
	for page := range all {
		t.Errorf("%s has claims of %s, which is no summary", claimsFile, page)
	}
}

// barPattern matches a row of a table with a figure and its bar.
var barPattern = regexp.MustCompile(`(?m)^\|.*\| ([\d.]+) \| ([█▉▊▋▌▍▎▏]+) \|$`)

// bar returns a bar of eighths of a character, of which the longest bar has width, and any figure has one.
func bar(value, longest float64, width int) string {
	eighths := max(1, int(math.Round(value/longest*float64(8*width))))
	full := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		full += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return full
}

// The bars of the README are as long as their figures say.
func TestBars(t *testing.T) {
	text, err := readText("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := barPattern.FindAllStringSubmatch(text, -1)
	if len(rows) == 0 {
		t.Fatal("no bars")
	}
	values := make([]float64, len(rows))
	for i, row := range rows {
		if values[i], err = strconv.ParseFloat(row[1], 64); err != nil {
			t.Fatal(err)
		}
	}
	for i, row := range rows {
		if want := bar(values[i], slices.Max(values), 24); row[2] != want {
			t.Errorf("the bar of %s is %s, not %s", row[1], row[2], want)
		}
	}
}

// The test of claims finds what it is for.
func TestClaimFaults(t *testing.T) {
	const page = "A core solves 1,234 games/s on side 8\n(95% intervals).\n\n    code 5\n\n" +
		"It took −2.5 ± 0.5 s of `a9`.\n"
	read := func(file string) (string, error) {
		if file != "docs/a page.md" {
			return "", fmt.Errorf("%s is not there", file)
		}
		return "| a | 1,234 | −2.5 | 0.5 |\n\nOthers: 1,234 and\n77.\n", nil
	}
	good := []claim{
		{page: "page.md", figure: "1,234 games/s", kind: "measured", says: "speed", command: "gamebench nim",
			commit: "0123abc", machine: "a core", interval: "5 runs", date: "2026-11-27", source: "docs/a page.md"},
		{page: "page.md", figure: "side 8", kind: "definition", says: "size"},
		{page: "page.md", figure: "95% intervals", kind: "definition", says: "confidence"},
		{page: "page.md", figure: "−2.5 ± 0.5 s", kind: "published", says: "time", command: "Nim (1901)",
			source: "docs/a page.md"},
	}
	tests := []struct {
		name   string
		change func(c []claim)
		more   claim
		page   string
		want   string // part of a fault; empty if there is none
	}{
		{name: "nothing wrong"},
		{name: "no row", change: func(c []claim) { c[0] = c[1] }, want: "without a claim: … A core solves 1,234"},
		{name: "a word for a number", page: page + "A million more.", want: "A million more"},
		{name: "a word for a time", page: page + "About a minute.", want: "About a minute"},
		{name: "a figure in a table", page: page + "\n| a | 3 |\n", want: "| a | 3 |"},
		{name: "a figure in a heading", page: "# 3 ways\n\n" + page, want: "# 3 ways"},
		{name: "between signs like a tag", page: page + "a < 3 > 1", want: "a < 3"},
		{name: "an indented line of a paragraph", page: page + "It takes\n    3 s.\n", want: "It takes 3 s"},
		{name: "a figure in code", page: page + "It takes `9 ms`.", want: "It takes `9 ms`"},
		{name: "a power", page: page + "It takes 2⁴ s.", want: "It takes 2⁴"},
		{name: "another sign", page: strings.Replace(page, "−2.5", "2.5", 1), want: "is not in page.md"},
		{name: "twice", page: page + "Again 1,234 games/s.", want: "2 times"},
		{name: "a definition twice", page: page + "Again on side 8."},
		{name: "not in the page", change: func(c []claim) { c[1].figure = "side 9" },
			want: "is not in page.md"},
		{name: "a part of a number", change: func(c []claim) { c[0].figure = "234 games/s" },
			want: "is not in page.md"},
		{name: "without its interval", change: func(c []claim) { c[3].figure = "−2.5" }, want: "± 0.5 s"},
		{name: "no figure", more: claim{figure: "core", kind: "definition", says: "x"}, want: "no figure"},
		{name: "no meaning", change: func(c []claim) { c[1].says = "" }, want: "no meaning"},
		{name: "no command", change: func(c []claim) { c[0].command = "measured" }, want: "is no command"},
		{name: "no commit", change: func(c []claim) { c[0].commit = "main" }, want: "is no commit"},
		{name: "no machine", change: func(c []claim) { c[0].machine = "" }, want: "no machine"},
		{name: "no interval", change: func(c []claim) { c[0].interval = "" }, want: "no interval"},
		{name: "no date", change: func(c []claim) { c[0].date = "yesterday" }, want: "is no date"},
		{name: "no publication", change: func(c []claim) { c[3].command = "" }, want: "no publication"},
		{name: "no kind", change: func(c []claim) { c[0].kind = "known" }, want: "is no kind of claim"},
		{name: "measured as a definition", change: func(c []claim) {
			c[0] = claim{figure: "1,234 games/s", kind: "definition", says: "speed"}
		}, want: "measured, not defined"},
		{name: "a speed as a definition", page: page + "Now 9 million a second.",
			more: claim{figure: "9 million a second", kind: "definition", says: "x"}, want: "measured, not defined"},
		{name: "no source", change: func(c []claim) { c[0].source = "docs/another page.md" }, want: "is not there"},
		{name: "a summary as source", change: func(c []claim) { c[0].source = "docs/benchmarks/README.md" },
			want: "is no page or data"},
		{name: "not in the source", page: strings.Replace(page, "1,234", "1,235", 1),
			change: func(c []claim) { c[0].figure = "1,235 games/s" }, want: "does not say so"},
		{name: "in words, not in the source", page: page + "About a minute.",
			more: claim{figure: "About a minute", kind: "published", says: "x", command: "x", source: "docs/a page.md"},
			want: "does not say so"},
		{name: "from two rows of the source", page: page + "Of 77 −2.5.",
			more: claim{figure: "77 −2.5", kind: "published", says: "x", command: "x", source: "docs/a page.md"},
			want: "does not say so"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			claims := slices.Clone(good)
			if tt.change != nil {
				tt.change(claims)
			}
			if tt.more != (claim{}) {
				claims = append(claims, tt.more)
			}
			got := faults("page.md", cmp.Or(tt.page, page), claims, read)
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("faults %q", got)
			case !strings.Contains(strings.Join(got, "\n"), tt.want):
				t.Errorf("faults %q, without %q", got, tt.want)
			}
		})
	}
}
