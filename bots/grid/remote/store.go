package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// prepare creates what the server lacks.
func (r *run) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	storage := jetstream.FileStorage
	if r.Memory {
		storage = jetstream.MemoryStorage
	}
	err := errors.Join(r.there(ctx, jobStream)(r.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: jobStream, Description: "jobs of gamebots", Subjects: []string{jobPrefix + ">"},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: duplicates,
	})), r.there(ctx, resultStream)(r.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: resultStream, Description: "results of gamebots", Subjects: []string{resultPrefix + ">"},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: duplicates,
		MaxBytes: resultBytes, Discard: jetstream.DiscardNew,
	})))
	for _, b := range []string{runsBucket, workersBucket} {
		c := jetstream.KeyValueConfig{Bucket: b, Storage: storage, TTL: r.gone, MaxBytes: leaseBytes}
		err = errors.Join(err, r.there(ctx, "KV_"+b)(r.js.CreateKeyValue(ctx, c)))
	}
	// On disk, as they may be large.
	parts := jetstream.ObjectStoreConfig{Bucket: partBucket, TTL: stayFor}
	err = errors.Join(err, r.there(ctx, "OBJ_"+partBucket)(r.js.CreateObjectStore(ctx, parts)), r.prepareLarge(ctx))
	if err == nil {
		_, err = r.js.CreateOrUpdateConsumer(ctx, jobStream, jetstream.ConsumerConfig{
			Durable: consumerName(r.Version), Description: "workers of " + r.Version,
			FilterSubject: jobPrefix + tag(r.Version) + ".>",
			AckPolicy:     jetstream.AckExplicitPolicy, AckWait: r.ackWait, MaxDeliver: -1, MaxAckPending: 100_000,
			MaxWaiting: 100_000, InactiveThreshold: stayFor,
		})
	}
	return err
}

// there takes the results of creating a stream, and returns the error unless the stream is there: with other settings,
// or with the same ones where the server has no room for it once more.
func (r *run) there(ctx context.Context, name string) func(any, error) error {
	return func(_ any, err error) error {
		if err != nil {
			if _, missing := r.js.Stream(ctx, name); missing == nil {
				return nil
			}
		}
		return err
	}
}

// prepareLarge creates the bucket of large results, whose bytes the server reserves, smaller on a small disk. One of an
// older version gets its limit.
func (r *run) prepareLarge(ctx context.Context) error {
	if s, err := r.js.Stream(ctx, largeStream); err == nil && s.CachedInfo().Config.MaxBytes > 0 {
		return nil
	}
	for most := int64(largeBytes); ; most /= 2 {
		c := jetstream.ObjectStoreConfig{Bucket: largeBucket, TTL: stayFor, MaxBytes: most}
		_, err := r.js.CreateOrUpdateObjectStore(ctx, c)
		const noRoom = 10047 // error code of a server whose disk is promised to others
		if e, ok := errors.AsType[*jetstream.APIError](err); !ok || e.ErrorCode != noRoom || most < 1<<20 {
			return r.there(ctx, largeStream)(nil, err)
		}
	}
}

// purgeLarge removes the large results of the run, and once no run has jobs or results whatever else workers have put
// there. What fails expires.
func (r *run) purgeLarge(ctx context.Context) {
	idle := true
	for _, name := range []string{jobStream, resultStream} {
		s, err := r.js.Stream(ctx, name)
		idle = idle && err == nil && s.CachedInfo().State.Msgs == 0
	}
	if s, err := r.js.Stream(ctx, largeStream); err == nil && idle {
		_ = s.Purge(ctx)
		return
	}
	if store, err := r.js.ObjectStore(ctx, largeBucket); err == nil {
		all, _ := store.List(ctx)
		for _, o := range all {
			if strings.HasPrefix(o.Name, r.tag+".") {
				_ = store.Delete(ctx, o.Name)
			}
		}
	}
}

func consumerName(version string) string { return "work-" + tag(version) }

// putObject writes an object.
func putObject(ctx context.Context, js jetstream.JetStream, bucket, name string, data []byte) error {
	store, err := js.ObjectStore(ctx, bucket)
	if err == nil {
		_, err = store.PutBytes(ctx, name, data)
	}
	return err
}

func deleteObject(ctx context.Context, js jetstream.JetStream, bucket, name string) error {
	store, err := js.ObjectStore(ctx, bucket)
	if err == nil {
		err = store.Delete(ctx, name)
	}
	return err
}

// getObject reads an object that has at most so many bytes, whatever it says of itself.
func getObject(ctx context.Context, js jetstream.JetStream, bucket, name string, most int64) ([]byte, error) {
	store, err := js.ObjectStore(ctx, bucket)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o, err := store.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	data, err := io.ReadAll(io.LimitReader(o, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%w: more than %d bytes", errSize, most)
	}
	return data, errors.Join(err, o.Error())
}

// subjects adds the places of a stream's messages to a set: their subjects without a prefix.
func subjects(ctx context.Context, js jetstream.JetStream, stream, prefix, run string, to map[string]bool) error {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(prefix+run+".>"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		to[strings.TrimPrefix(subject, prefix)] = true
	}
	return nil
}
