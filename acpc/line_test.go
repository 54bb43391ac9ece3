package acpc_test

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"gamebots/acpc"
)

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", acpc.MaxLogLine-1) + "\n"
	r := bufio.NewReader(strings.NewReader("a\n\n" + long + "end"))
	for _, want := range []string{"a\n", "\n", long} {
		if got, err := acpc.ReadLine(r); got != want || err != nil {
			t.Fatalf("a line of %d bytes is one of %d, %v", len(want), len(got), err)
		}
	}
	if got, err := acpc.ReadLine(r); got != "end" || err != io.EOF {
		t.Errorf("the last line is %q, %v", got, err)
	}
	endless := &zeros{}
	if got, err := acpc.ReadLine(bufio.NewReader(endless)); got != "" || err == nil ||
		endless.read > 2*acpc.MaxLogLine {
		t.Errorf("a line without end is %d bytes, %v; %d bytes were read", len(got), err, endless.read)
	}
}

// zeros never ends, as /dev/zero.
type zeros struct{ read int }

func (z *zeros) Read(b []byte) (int, error) {
	clear(b)
	z.read += len(b)
	return len(b), nil
}
