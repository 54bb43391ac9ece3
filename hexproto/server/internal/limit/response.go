package limit

import (
	"net/http"
	"time"
)

// response is an http.ResponseWriter with a time limit for each part, not for the whole.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
}

// A client has partTimeout to read partSize bytes.
const (
	partSize    = 32 << 10
	partTimeout = 30 * time.Second
)

// Response returns a writer that goes on as long as the client reads, however long that
// takes in all: the WriteTimeout of the server no longer counts from the first byte on. A
// client that reads less than about 1 kB a second is cut off.
func Response(w http.ResponseWriter) http.ResponseWriter {
	return &response{w, http.NewResponseController(w)}
}

// Write writes in parts.
func (r *response) Write(text []byte) (n int, err error) {
	for first := true; first || len(text) > 0; first = false {
		part := text[:min(len(text), partSize)]
		_ = r.control.SetWriteDeadline(time.Now().Add(partTimeout)) // where there is none, there is no limit
		m, err := r.ResponseWriter.Write(part)
		n += m
		if err != nil {
			return n, err
		}
		text = text[len(part):]
	}
	return n, nil
}

// Unwrap gives http.ResponseController the writer of the server.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
