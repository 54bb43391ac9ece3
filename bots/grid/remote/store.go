package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gamebots/bots/grid/status"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// prepare creates the streams and buckets that are missing on a server. Leases expire after a time.
func prepare(ctx context.Context, js jetstream.JetStream, storage jetstream.StorageType, lease time.Duration) error {
	create := func(_ any, err error) error {
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) || errors.Is(err, jetstream.ErrBucketExists) {
			return nil // with other settings
		}
		return err
	}
	err := errors.Join(create(js.CreateStream(ctx, jetstream.StreamConfig{
		Name: jobStream, Description: "jobs of gamebots", Subjects: []string{jobPrefix + ">"},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: 2 * time.Minute,
	})), create(js.CreateStream(ctx, jetstream.StreamConfig{
		Name: resultStream, Description: "results of gamebots", Subjects: []string{resultPrefix + ">"},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: 2 * time.Minute,
		MaxBytes: resultBytes, Discard: jetstream.DiscardNew,
	})))
	for _, b := range []string{status.Runs, status.Workers} {
		c := jetstream.KeyValueConfig{Bucket: b, Storage: storage, TTL: lease}
		err = errors.Join(err, create(js.CreateKeyValue(ctx, c)))
	}
	for _, b := range []string{partBucket, largeBucket} { // on disk, as they may be large
		err = errors.Join(err, create(js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: b, TTL: stayFor})))
	}
	return err
}

// putLarge writes an object that its writer may not read, for which jetstream has no function.
func putLarge(ctx context.Context, js jetstream.JetStream, data []byte) (name string, err error) {
	sum := sha256.New()
	sum.Write(data)
	id := rand.Text()
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: id, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}},
		Bucket:     largeBucket, NUID: id, Size: uint64(len(data)), Digest: jetstream.GetObjectDigestValue(sum),
	}
	for chunk := range slices.Chunk(data, chunkSize) {
		if _, err := js.Publish(ctx, "$O."+largeBucket+".C."+id, chunk); err != nil {
			return "", err
		}
		info.Chunks++
	}
	m := nats.NewMsg("$O." + largeBucket + ".M." + base64.URLEncoding.EncodeToString([]byte(id)))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = mustMarshal(info)
	_, err = js.PublishMsg(ctx, m)
	return id, err
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
