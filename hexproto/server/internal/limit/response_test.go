package limit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// pipe is a listener with one connection, in memory.
type pipe chan net.Conn

func (p pipe) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipe) Close() error   { close(p); return nil }
func (p pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// A client that reads slowly gets all of a long response. One that stops reading is cut
// off.
func TestSlowReader(t *testing.T) {
	const size = 1 << 20
	for _, stops := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			client, end := net.Pipe()
			written := make(chan error, 1)
			h := &http.Server{WriteTimeout: time.Minute,
				Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					_, err := Response(w).Write(make([]byte, size))
					written <- err
				})}
			conns := make(pipe, 1)
			conns <- end
			served := make(chan error, 1)
			go func() { served <- h.Serve(conns) }()
			fmt.Fprint(client, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
			r, err := http.ReadResponse(bufio.NewReaderSize(client, 1024), nil)
			if err != nil {
				t.Fatal(err)
			}
			read, begun := 0, time.Now()
			for part := make([]byte, 16<<10); !stops && err == nil; time.Sleep(10 * time.Second) {
				var n int
				n, err = io.ReadFull(r.Body, part)
				read += n
			}
			if err = <-written; stops != errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("stops reading: %v, but writing ends with %v", stops, err)
			}
			if !stops && (read != size || time.Since(begun) < h.WriteTimeout) {
				t.Errorf("read %d bytes in %v", read, time.Since(begun))
			}
			client.Close()
			h.Close()
			<-served
		})
	}
}
