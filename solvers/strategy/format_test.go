package strategy

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the sample file and its dump in the format's page")

const (
	samplePath = "testdata/kuhn.strategy"
	// roundedSamplePath is the same strategy in 4 bits.
	roundedSamplePath = "testdata/kuhn-4bits.strategy"
	pagePath          = "../../docs/strategy-file.md"
	// sampleBlockLen is short, to show two blocks.
	sampleBlockLen = 16
)

// The sample was written once: a release that cannot read it any more, or
// reads something else, has broken every user's files.
func TestSampleFile(t *testing.T) {
	if *update {
		if err := write(samplePath, kuhnMeta, uint64(len(kuhnValues)), sampleBlockLen, from(kuhnValues)); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, samplePath)
	if diff := cmp.Diff(kuhnMeta, f.Meta()); diff != "" {
		t.Errorf("metadata (-written +read):\n%s", diff)
	}
	if got := readAll(t, f); !slices.Equal(got, kuhnValues) {
		t.Errorf("read %v", got)
	}
}

// The rounded sample was written once, too.
func TestRoundedSampleFile(t *testing.T) {
	meta := kuhnMeta
	meta.Bits = 4
	if *update {
		if err := writeRounded(roundedSamplePath, meta, kuhnSets, sampleBlockLen/2, from(kuhnValues)); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, roundedSamplePath)
	if diff := cmp.Diff(meta, f.Meta()); diff != "" {
		t.Errorf("metadata (-written +read):\n%s", diff)
	}
	want := slices.Clone(kuhnValues)
	for i, v := range want {
		want[i] = float32(math.Round(float64(v)*15)) / 15
	}
	if got := readAll(t, f); !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
}

// The page on the format shows the sample file, field by field.
func TestFormatPage(t *testing.T) {
	const begin, end = "<!-- dump of the sample -->\n```text\n", "```\n"
	page, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	shown, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no block that begins with %q", pagePath, begin)
	}
	want := dump(sample(t))
	if *update {
		if err := os.WriteFile(pagePath, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("%s (-file +page); mend it with -update:\n%s", pagePath, diff)
	}
}

// dump reads a file as its page describes it, without the package's code.
func dump(data []byte) string {
	var out strings.Builder
	at := 0
	field := func(size int, meaning string) []byte {
		bytes := data[at : at+size]
		for start := 0; start < size; start += 16 {
			row := bytes[start:min(start+16, size)]
			line := fmt.Sprintf("%4d  % -47x  %s", at+start, row, meaning)
			out.WriteString(strings.TrimRight(line, " ") + "\n")
			meaning = ""
		}
		at += size
		return bytes
	}
	number := func(size int, meaning string) int {
		n := binary.LittleEndian.Uint64(append(slices.Clone(data[at:at+size]), make([]byte, 8)...))
		field(size, fmt.Sprintf(meaning, n))
		return int(n)
	}
	field(8, "magic")
	number(4, "version %d")
	blockLen := number(4, "%d values a block")
	values := number(8, "%d values in all")
	number(8, "%d bytes in the file")
	metaSize := number(8, "%d bytes of metadata")
	field(32, "SHA-256 of the game's text")
	field(8, "xxh3 of metadata and index")
	field(8, "xxh3 of the header up to here")
	meta := string(data[at : at+metaSize])
	for len(meta) > 0 {
		row := meta[:min(16, len(meta))]
		field(len(row), row)
		meta = meta[len(row):]
	}
	var ends []int
	for block := range (values + blockLen - 1) / blockLen {
		ends = append(ends, number(8, fmt.Sprintf("block %d ends at byte %%d", block)))
		field(8, fmt.Sprintf("xxh3 of block %d", block))
	}
	for block, end := range ends {
		field(end-at, fmt.Sprintf("block %d, one zstd frame", block))
	}
	return out.String()
}
