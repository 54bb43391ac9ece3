package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
)

// Names on the server, listed in the package comment.
const (
	jobStream    = "GAMEBOTS_JOBS"
	resultStream = "GAMEBOTS_RESULTS"
	partBucket   = "GAMEBOTS_PARTS"
	largeBucket  = "GAMEBOTS_LARGE"
	largeStream  = "OBJ_" + largeBucket

	jobPrefix    = "gamebots.job."
	resultPrefix = "gamebots.result."
	stopPrefix   = "gamebots.stop."
	toldPrefix   = "gamebots.told."
	header       = "Gamebots"
)

// The times of the protocol.
const (
	goneAfter   = 7 * time.Second // a lease that is not renewed expires after this, or AckWait if that is less
	askTimeout  = 2 * time.Second // for an answer of the server
	keepResult  = time.Minute     // how long a worker keeps a result that a connected server does not take
	returnDelay = time.Second / 5 // at most before a worker that gave a job back takes another
	duplicates  = 2 * time.Minute // how long the server knows the ID of a message
	stayFor     = 24 * time.Hour  // expiry of what is on the server, and of unused consumers

	// DefaultAckWait is the silence after which a job goes to another worker.
	DefaultAckWait = 10 * time.Second
)

// Limits. A server's default limit of a message is 1 MiB.
const (
	inlineSize  = 64 << 10  // bytes of a spec or result within its message
	errorSize   = 32 << 10  // bytes of an error's text
	maxResult   = 1 << 30   // bytes of a result
	resultBytes = 256 << 20 // bytes of all messages with results; workers wait until owners have taken some
	largeBytes  = 4 << 30   // bytes of all results in objects, as far as the server's disk has them
	leaseBytes  = 64 << 20  // bytes of all leases
	maxReaders  = 1000      // consumers of a stream, each with up to 400 kB of the memory and disk of the server
	maxSlots    = 1 << 12   // jobs at a time of a worker
	maxWorkers  = 1 << 14   // workers of a server
	maxDeaths   = 5         // workers that may die at a job: more than tries, as they also die of other causes
)

// tag returns a hash of a text that may be part of a subject.
func tag(text string) string { return hash([]byte(text))[:16] }

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// part is bytes of a job in an object of partBucket.
type part struct {
	Name string `json:"name"`
	Sum  string `json:"sum"` // SHA-256
	Size int64  `json:"size"`
}

// task is a job in a message, whose data is the spec unless that is a part.
type task struct {
	Session string `json:"session"` // the owner's call of Run
	Copy    int    `json:"copy"`    // how often the job has been published
	Run     string `json:"run"`
	Shard   int    `json:"shard"`
	Seed    uint64 `json:"seed"`
	Kind    string `json:"kind"`
	Spec    *part  `json:"spec,omitempty"`
	Shared  *part  `json:"shared,omitempty"`
}

// id returns the message ID of a job, which that of an outcome begins with.
func (t *task) id(place string) string { return fmt.Sprintf("%s-%s-%d", t.Session, place, t.Copy) }

// placeOf returns the part of the subjects of a job and of its result that tells it apart from all others: run, shard,
// and a hash of everything that the result depends on.
func placeOf(job *grid.Job, sharedSum string) string {
	all := fmt.Appendf(nil, "%q %d %d %q %s ", job.Run, job.Shard, job.Seed, job.Kind, sharedSum)
	return tag(job.Run) + "." + strconv.Itoa(job.Shard) + "." + hash(append(all, job.Spec...))[:16]
}

// outcome is what a worker reports of a job, with the result as its data unless that is an object.
type outcome struct {
	Op     string `json:"op"`
	Worker string `json:"worker"`
	Error  string `json:"error,omitempty"`
	Object string `json:"object,omitempty"` // name in largeBucket
}

// Operations of an outcome.
const (
	opResult = "result" // here is the result
	opFailed = "failed" // the job failed with an error
	opRefuse = "refuse" // the worker does not do the job, see grid.UnwillingError, or may not
	opReturn = "return" // the worker did not finish the job, or lacks a part of it
	opBegun  = "begun"  // the worker does a job that was delivered before
	opDied   = "died"   // the job was delivered to maxDeaths workers before, of which there is no outcome
)

// stop ends the jobs of a run. Its text tells it apart from other messages, which a worker may direct anywhere.
type stop struct {
	Stop bool `json:"stop"`
}

// message returns a message of parameters and bytes.
func message(subject string, parameters any, data []byte) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Header.Set(header, string(mustMarshal(parameters)))
	m.Data = data
	return m
}

func mustMarshal(v any) []byte {
	text, _ := json.Marshal(v) // the structs of this package cannot fail
	return text
}

// parameters reads the parameters of a message.
func parameters(h nats.Header, into any) error {
	if err := json.Unmarshal([]byte(h.Get(header)), into); err != nil {
		return fmt.Errorf("the header %s of a message: %w", header, err)
	}
	return nil
}
