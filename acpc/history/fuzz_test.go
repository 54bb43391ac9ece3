package history

import (
	"strings"
	"testing"

	"gamebots/acpc"
)

// FuzzPHH reads any text as PHH. What is a hand must be written as one that
// reads as the same.
func FuzzPHH(f *testing.F) {
	const head = "antes = [0, 0]\nblinds_or_straddles = [1, 2]\nstarting_stacks = [50, 50]\n"
	f.Add("[1]\nvariant = 'NT'\nmin_bet = 2\n" + head +
		"actions = ['d dh p1 AsAd', 'd dh p2 ????', 'p2 cbr 9', 'p1 f', 'p2 sm 2c3c']\nplayers = ['a', 'b']\n" +
		"_acpc_before = ['# x']\n")
	f.Add("variant = 'FT'\nsmall_bet = 2\nbig_bet = 4\n" + head +
		"actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 4', 'p1 cc', 'd db 2c3c4c', 'p1 cbr 2', 'p2 f']\n" +
		"hand = 7\n")
	for _, game := range []string{limit3, glued} {
		g := gameOf(f, game)
		s := g.NewState(3)
		acpc.NewShuffler(1).Deal(&s)
		for !s.Finished() {
			s.Apply(acpc.Action{Type: acpc.Call})
		}
		h, err := ParseLog(g, string(s.AppendResult(nil, []string{"a", "b", "c"}[:g.NumPlayers])))
		if err != nil {
			f.Fatal(err)
		}
		phh, err := h.AppendPHH(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(phh))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := NewPHHReader(strings.NewReader(text), "x")
		var w PHHWriter
		var log, phh []byte
		for {
			h, err := r.Next()
			if err != nil {
				if !strings.HasPrefix(err.Error(), "x:") && err.Error() != "EOF" {
					t.Fatalf("%q: error without a place: %v", text, err)
				}
				break
			}
			log = h.AppendLog(log)
			if phh, err = w.Append(phh, h); err != nil {
				t.Fatalf("%q is read and not written: %v", text, err)
			}
		}
		if len(log) == 0 {
			return
		}
		if got := toLog(t, NewPHHReader(strings.NewReader(string(phh)), "again")); string(got) != string(log) {
			t.Fatalf("%q\nis  %q\nand %q by\n%s", text, log, got, phh)
		}
	})
}

// FuzzLog reads any text as a log. What is one must survive PHH to the byte.
func FuzzLog(f *testing.F) {
	f.Add("# x\nSTATE:0:r300c/cc/cc/r600f:9h7d|9cQc/6hTd7s/Qd/Ts:-300|300:Al|Bo\nSCORE:1|-1:Al|Bo\n")
	f.Add("STATE:3:cr20000c///:8dJd|/As9d6s/3d/6c:-20000|20000:Al|Bo\r\n")
	f.Add("STATE:3:KB300k/kb301F:|tdAS/As9d6s:1|2:Al|Bo")
	f.Add("STATE:0:CB20000C:|/2C2d2s7C8C:0|0:|\r")
	f.Add("STATE:0:CB20000C::|/2C2d2s7C8C:0|0:|\r0")
	f.Add("STATE:3:f:|8dJd:-50|50:Al|\r0")
	f.Add("STATE:0:cr20000c///:|/As9d6s/3d/6c:-20001|0:Al|Bo") // no stack that PHH allows
	f.Add("STATE:0:cr20000c///:|/2c2d2s/7c/8c:-0|0:|")
	f.Add("STATE:0:cc/cc/cc/cc:AsKs|AdKd/2c3d7h/8c/9c:-0|0:Al|Bo")
	f.Add("STATE:0:cr20000c///:|/2c2d2s/7c/8c:0.0000004|0:|")
	f.Add("STATE:0:cr20000c///:|/2c2d2s/7c/8c:99999999999999999.1|0.1:|")
	f.Add("STATE:0:B200CCCCCB700C:|2C7C2h2d2s7d7s:0|10000000000000000000:|")
	f.Fuzz(func(t *testing.T, log string) {
		g := gameOf(t, nolimit2)
		in := NewLogReader(strings.NewReader(log), "x", g)
		var w PHHWriter
		var phh, read []byte
		for {
			h, err := in.Next()
			if err != nil {
				break
			}
			if phh, err = w.Append(phh, h); err != nil {
				return // not UTF-8
			}
			read = h.AppendLog(read)
		}
		if len(read) == 0 {
			return
		}
		if !strings.HasPrefix(log+"\n", string(read)) {
			t.Fatalf("%q is read as %q", log, read)
		}
		if got := toLog(t, NewPHHReader(strings.NewReader(string(phh)), "again")); string(got) != string(read) {
			t.Fatalf("%q\nis  %q\nand %q by\n%s", log, read, got, phh)
		}
	})
}
