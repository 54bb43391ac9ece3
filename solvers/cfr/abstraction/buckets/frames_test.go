package buckets

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// framed returns content in frames, written in pieces that do not end where frames do.
func framed(t *testing.T, content []byte) []byte {
	var out bytes.Buffer
	w, err := newFrameWriter(&out, zstd.SpeedFastest)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1; len(content) > 0; size *= 50 {
		size = min(size, len(content))
		if n, err := w.Write(content[:size]); n != size || err != nil {
			t.Fatalf("%d of %d bytes are written: %v", n, size, err)
		}
		content = content[size:]
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Frames are read as they were written, by any reader of zstd as one stream, too. One large
// frame, as files had in the past, is read as well.
func TestFrames(t *testing.T) {
	content := make([]byte, 2*frameSize+frameSize/3)
	random := rand.New(rand.NewPCG(5, 5))
	for i := range content {
		content[i] = byte(random.Uint32() & 3)
	}
	frames := framed(t, content)

	z, err := zstd.NewReader(bytes.NewReader(frames))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if read, err := io.ReadAll(z); err != nil || !bytes.Equal(read, content) {
		t.Errorf("another reader of zstd reads %d bytes of %d: %v", len(read), len(content), err)
	}

	var stream bytes.Buffer
	w, err := zstd.NewWriter(&stream)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"frames": frames, "one frame": stream.Bytes()} {
		r, err := newFrameReader(bufio.NewReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		read := make([]byte, len(content))
		for _, part := range [][]byte{read[:3], read[3 : frameSize-1], read[frameSize-1:]} {
			if _, err := io.ReadFull(r, part); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF || !bytes.Equal(read, content) {
			t.Errorf("%s: other bytes are read than were written, and at the end %v", name, err)
		}
	}
}

// Damage, a missing end and frames that claim to be larger than frames are is found.
func TestFrameReaderRefuses(t *testing.T) {
	content := bytes.Repeat([]byte("buckets "), 1<<10)
	frames := framed(t, content)
	damaged := bytes.Clone(frames)
	damaged[len(damaged)-1] ^= 1
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	unchecked, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"damaged":     damaged,
		"short":       frames[:len(frames)-5],
		"too large":   z.EncodeAll(make([]byte, frameSize+1), nil),
		"no checksum": unchecked.EncodeAll(content, nil),
		"text":        []byte("a text and no frame"),
	} {
		r, err := newFrameReader(bufio.NewReader(bytes.NewReader(data)))
		if err == nil {
			_, err = io.ReadFull(r, make([]byte, len(content)))
			r.Close()
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
