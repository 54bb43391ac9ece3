package dealer

import (
	"testing"
	"testing/synctest"
)

// FuzzReply answers a turn with any bytes: the match goes on with a legal
// action, ends by its limits or by the end of the connection, and never more.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{
		"{}:c\r\n", "{}:r300\r\n", "{}:r-5\n{}:f\n", "{}:r\r\n", "{}", "\n", "#\n;\n{}:K\n",
		"MATCHSTATE:0:0::Qh|:r99999999999\r\n", "MATCHSTATE:1:0::|Qh:c\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		synctest.Test(t, func(t *testing.T) {
			g := leduc()
			got := serve(t.Context(), newMatch(g, 2), answering(g, text), answering(g))
			if played := len(betting(got.log)); (got.err == nil) != (played == 2) {
				t.Errorf("%d hands and error %v", played, got.err)
			}
		})
	})
}
