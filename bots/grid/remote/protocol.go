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
	stream     = "GAMEBOTS_JOBS"
	jobPrefix  = "gamebots.job."
	runPrefix  = "gamebots.run."
	stopPrefix = "gamebots.stop."
	helloAll   = "gamebots.worker.*.*"
	callAll    = "gamebots.call"
	logPrefix  = "gamebots.told."
	header     = "Gamebots"
)

// tag returns a hash of a text that may be part of a subject.
func tag(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

func jobSubject(version, run string, shard int) string {
	return jobPrefix + tag(version) + "." + tag(run) + "." + strconv.Itoa(shard)
}

func consumerName(version string) string      { return "work-" + tag(version) }
func helloSubject(version, id string) string  { return "gamebots.worker." + tag(version) + "." + id }
func messageID(s string, shard, n int) string { return fmt.Sprintf("%s-%d-%d", s, shard, n) }
func jobKey(runTag string, shard int) string  { return runTag + "/" + strconv.Itoa(shard) }

// The times of the protocol.
const (
	helloEvery = 2 * time.Second
	goneAfter  = 3*helloEvery + time.Second // silence after which a worker has died, or AckWait if that is less
	askTimeout = 5 * time.Second            // for an answer of the owner
	stayFor    = 24 * time.Hour             // expiry of jobs in the stream, and of unused consumers

	// DefaultAckWait is the silence after which a job goes to another worker.
	DefaultAckWait = 10 * time.Second
)

// Limits in bytes. A server's default limit of a message is 1 MiB.
const (
	pieceSize  = 512 << 10 // bytes of a piece of a blob or result
	inlineSize = 64 << 10  // bytes of a spec within its job's message
	errorSize  = 32 << 10  // bytes of an error's text
)

// Limits of what the other side may claim, so that a hostile one cannot take all memory. All
// results that are on their way to an owner have half of its memory.
const (
	maxResult  = 1 << 30 // bytes of a result
	maxParts   = 16      // workers that send a result of the same job at a time
	maxSlots   = 1 << 12 // jobs at a time of a worker
	maxMembers = 1 << 14 // workers of a server
)

// blob identifies bytes that the owner hands out in pieces.
type blob struct {
	Sum  string `json:"sum"` // SHA-256
	Size int    `json:"size"`
}

func blobOf(data []byte) *blob {
	sum := sha256.Sum256(data)
	return &blob{hex.EncodeToString(sum[:]), len(data)}
}

// is reports whether the blob identifies data.
func (b *blob) is(data []byte) bool { return *blobOf(data) == *b }

// task is a job in a message.
type task struct {
	Run    string `json:"run"`
	Shard  int    `json:"shard"`
	Seed   uint64 `json:"seed"`
	Kind   string `json:"kind"`
	Spec   *blob  `json:"spec,omitempty"` // nil if the spec is the message's data
	Shared *blob  `json:"shared,omitempty"`
}

// ask is a worker's request to the owner of a run.
type ask struct {
	Op     string `json:"op"`
	Worker string `json:"worker"`
	Shard  int    `json:"shard"`
	Error  string `json:"error,omitempty"`
	Blob   *blob  `json:"blob,omitempty"` // to fetch, or the result
	Offset int    `json:"offset,omitempty"`
}

// Operations of an ask.
const (
	opOwner  = "who"    // who is the owner?
	opStart  = "start"  // may the worker do the shard?
	opBlob   = "blob"   // a piece, from an offset on
	opResult = "result" // here is a piece of the result
	opFailed = "failed" // the job failed with an error
	opRefuse = "refuse" // the worker does not do the job, see grid.UnwillingError
	opReturn = "return" // the worker ends and gives the job back
)

// answer is the owner's answer to an ask.
type answer struct {
	Say    string `json:"say"`
	Offset int    `json:"offset,omitempty"` // sayPiece: offset of the next piece
	Text   string `json:"text,omitempty"`   // sayOwner: name of the owner
}

// Answers of the owner.
const (
	sayOwner   = "owner"
	sayGo      = "go"    // do the job
	sayDone    = "done"  // stored or not wanted: acknowledge it
	sayBusy    = "busy"  // another worker does it: give it back for a while
	sayLater   = "later" // others may do it: give it back for a moment
	sayAgain   = "again" // give it back, to be tried again
	sayGivenUp = "dead"  // given up
	sayPiece   = "piece" // send the piece of the result from Offset; or: here is a piece of the blob
	sayGone    = "gone"  // no such blob
)

// hello is a worker's sign of life.
type hello struct {
	ID      string   `json:"id"`
	Host    string   `json:"host"`
	Version string   `json:"version"`
	Slots   int      `json:"slots"`
	Kinds   []string `json:"kinds"`
	Busy    []string `json:"busy,omitempty"` // places of the jobs in progress
	Bye     bool     `json:"bye,omitempty"`
}

// message returns a message of parameters and bytes.
func message(subject string, parameters any, data []byte) *nats.Msg {
	text, err := json.Marshal(parameters)
	if err != nil {
		panic(err) // not with the structs of this package
	}
	m := nats.NewMsg(subject)
	m.Header.Set(header, string(text))
	m.Data = data
	return m
}

// parameters reads the parameters of a message.
func parameters(h nats.Header, into any) error {
	if err := json.Unmarshal([]byte(h.Get(header)), into); err != nil {
		return fmt.Errorf("the header %s of a message: %w", header, err)
	}
	return nil
}

// job returns the job of a task, without its shared part.
func (t *task) job(spec []byte) grid.Job {
	return grid.Job{Run: t.Run, Shard: t.Shard, Seed: t.Seed, Kind: t.Kind, Spec: spec}
}
