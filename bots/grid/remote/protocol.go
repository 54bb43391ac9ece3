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

// Names on the server; the package's manual lists them.
const (
	stream     = "GAMEBOTS_JOBS"
	jobPrefix  = "gamebots.job."
	runPrefix  = "gamebots.run."
	stopPrefix = "gamebots.stop."
	helloAll   = "gamebots.worker.*.*"
	callAll    = "gamebots.call"
	toldPrefix = "gamebots.told."
	header     = "Gamebots"
)

// tag returns a name that may be part of a subject.
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
func place(runTag string, shard int) string   { return runTag + "/" + strconv.Itoa(shard) }

// The times of the protocol.
const (
	helloEvery = 2 * time.Second
	goneAfter  = 3*helloEvery + time.Second // without a hello a worker is taken for dead, or after AckWait
	askTimeout = 5 * time.Second            // for an answer of the owner
	stayFor    = 24 * time.Hour             // jobs in the stream, and a consumer nobody uses

	// DefaultAckWait is how long a job may be without a sign of life before it is
	// given to another worker.
	DefaultAckWait = 10 * time.Second
)

// Limits of sizes. The server takes 1 MiB a message if nobody configured it.
const (
	pieceSize  = 512 << 10 // of what goes in pieces
	inlineSize = 64 << 10  // the largest spec that goes with its job
	errorSize  = 32 << 10  // of the text of an error
)

// blob names bytes that are fetched from the owner in pieces.
type blob struct {
	Sum  string `json:"sum"` // SHA-256
	Size int    `json:"size"`
}

func blobOf(data []byte) *blob {
	sum := sha256.Sum256(data)
	return &blob{hex.EncodeToString(sum[:]), len(data)}
}

// is says whether data is what the blob names.
func (b *blob) is(data []byte) bool { return *blobOf(data) == *b }

// task is a job on its way.
type task struct {
	Run    string `json:"run"`
	Shard  int    `json:"shard"`
	Seed   uint64 `json:"seed"`
	Kind   string `json:"kind"`
	Spec   *blob  `json:"spec,omitempty"` // nil: it is the message's data
	Shared *blob  `json:"shared,omitempty"`
}

// ask is what a worker wants of a run's owner.
type ask struct {
	Op     string `json:"op"`
	Worker string `json:"worker"`
	Shard  int    `json:"shard"`
	Error  string `json:"error,omitempty"`
	Blob   *blob  `json:"blob,omitempty"` // which is fetched, or the result
	Offset int    `json:"offset,omitempty"`
}

// What is asked.
const (
	opWho    = "who"    // whose run this is
	opStart  = "start"  // may the worker do the shard?
	opBlob   = "blob"   // a piece, from an offset on
	opResult = "result" // here is a piece of the result
	opFailed = "failed" // the job failed with an error
	opReturn = "return" // the worker ends and gives the job back
)

// answer is what the owner says.
type answer struct {
	Say    string `json:"say"`
	Offset int    `json:"offset,omitempty"` // with sayPiece: of the next piece
	Text   string `json:"text,omitempty"`   // with sayOwner: who it is
}

// What is answered.
const (
	sayOwner = "owner"
	sayGo    = "go"    // do it
	sayDone  = "done"  // it is stored or not wanted: acknowledge it
	sayBusy  = "busy"  // another worker is at it: give it back for a while
	sayAgain = "again" // let somebody try again
	sayDead  = "dead"  // it is given up
	sayPiece = "piece" // the next piece of the result, please; or here is one of a blob
	sayGone  = "gone"  // no such blob
)

// hello is what a worker says of itself.
type hello struct {
	ID      string   `json:"id"`
	Host    string   `json:"host"`
	Version string   `json:"version"`
	Slots   int      `json:"slots"`
	Kinds   []string `json:"kinds"`
	Busy    []string `json:"busy,omitempty"` // the places of the jobs that it does
	Bye     bool     `json:"bye,omitempty"`
}

// message makes a message of parameters and bytes.
func message(subject string, parameters any, data []byte) *nats.Msg {
	text, err := json.Marshal(parameters)
	if err != nil {
		panic(err) // our own structs
	}
	m := nats.NewMsg(subject)
	m.Header.Set(header, string(text))
	m.Data = data
	return m
}

// parameters reads what message wrote.
func parameters(h nats.Header, into any) error {
	if err := json.Unmarshal([]byte(h.Get(header)), into); err != nil {
		return fmt.Errorf("the header %s of a message: %w", header, err)
	}
	return nil
}

// job returns the job that a task is, without what is fetched.
func (t *task) job(spec []byte) grid.Job {
	return grid.Job{Run: t.Run, Shard: t.Shard, Seed: t.Seed, Kind: t.Kind, Spec: spec}
}
