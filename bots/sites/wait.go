package sites

import (
	"context"
	"gamebots/internal/parallel"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	maxBackoff = time.Minute // longest wait of our own choice
	maxRest    = time.Hour   // longest wait that a site may ask for
)

// Backoff returns how long to wait after the n-th failure in a row, from 1: first, then twice as long each time, up to
// a minute. The last half of it is random, so that requests that failed together are not repeated together.
func Backoff(first time.Duration, n int) time.Duration {
	d := min(first<<min(n-1, 16), maxBackoff)
	return d/2 + rand.N(d/2+1)
}

// Wait waits unless the context ends.
func Wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	return parallel.Wait(ctx, time.After(d))
}

// retryAfter returns how long a site asks to be left alone, in seconds or until a date; 0 if it does not.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRest)
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, min(time.Until(date), maxRest))
	}
	return 0
}
