package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gamebots/bots/grid/status"

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
	create := func(_ any, err error) error {
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) || errors.Is(err, jetstream.ErrBucketExists) {
			return nil // with other settings
		}
		return err
	}
	err := errors.Join(create(r.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: jobStream, Description: "jobs of gamebots", Subjects: []string{jobPrefix + ">"},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: 2 * time.Minute,
	})), create(r.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: resultStream, Description: "results of gamebots", Subjects: []string{resultPrefix + ">"},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: 2 * time.Minute,
		MaxBytes: resultBytes, Discard: jetstream.DiscardNew,
	})))
	for _, b := range []string{status.Runs, status.Workers} {
		c := jetstream.KeyValueConfig{Bucket: b, Storage: storage, TTL: r.gone}
		err = errors.Join(err, create(r.js.CreateKeyValue(ctx, c)))
	}
	for _, b := range []string{partBucket, largeBucket} { // on disk, as they may be large
		c := jetstream.ObjectStoreConfig{Bucket: b, TTL: stayFor}
		err = errors.Join(err, create(r.js.CreateObjectStore(ctx, c)))
	}
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

func consumerName(version string) string { return "work-" + tag(version) }

// putObject writes an object.
func putObject(ctx context.Context, js jetstream.JetStream, bucket, name string, data []byte) error {
	store, err := js.ObjectStore(ctx, bucket)
	if err == nil {
		_, err = store.PutBytes(ctx, name, data)
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
