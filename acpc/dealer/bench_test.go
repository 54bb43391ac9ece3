package dealer

import (
	"net"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/client"
)

// BenchmarkPlay measures hands in process; one operation is one hand.
func BenchmarkPlay(b *testing.B) {
	for _, g := range []*acpc.Game{kuhn(), leduc()} {
		b.Run(g.Name, func(b *testing.B) {
			b.ReportAllocs()
			m := newMatch(g, uint32(b.N))
			if _, err := m.Play(b.Context(), []acpc.Player{bot(call), bot(call)}, nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkServe measures hands over loopback TCP with our own clients.
func BenchmarkServe(b *testing.B) {
	for _, g := range []*acpc.Game{kuhn(), leduc()} {
		b.Run(g.Name, func(b *testing.B) {
			b.ReportAllocs()
			m := newMatch(g, uint32(b.N))
			lobby, err := Listen("127.0.0.1", 0, 0)
			if err != nil {
				b.Fatal(err)
			}
			for _, addr := range lobby.Addrs() {
				go func() {
					conn, err := client.Dial(b.Context(), addr, 0)
					if err != nil {
						b.Error(err)
						return
					}
					c := client.Client{Game: g, Player: bot(call)}
					c.Play(b.Context(), conn)
				}()
			}
			var conns []net.Conn
			if conns, err = lobby.Accept(b.Context(), m.Limits.Start); err != nil {
				b.Fatal(err)
			}
			if _, err := m.Serve(b.Context(), conns, Record{}); err != nil {
				b.Fatal(err)
			}
		})
	}
}
