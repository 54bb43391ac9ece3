package buckets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"gamebots/internal/parallel"

	"github.com/klauspost/compress/zstd"
)

// frameSize is the largest decompressed size of a zstd frame. A table is decompressed on as
// many threads as it has frames; larger frames would compress a little better.
const frameSize = 1 << 23

// frameWriter writes independent zstd frames, one after another. For a reader of zstd they are
// one stream.
type frameWriter struct {
	out     io.Writer
	zstd    *zstd.Encoder
	content []byte // bytes to write, fewer than frameSize
	frame   []byte
}

func newFrameWriter(out io.Writer, level zstd.EncoderLevel) (*frameWriter, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level),
		zstd.WithSingleSegment(true)) // frames of any size state it
	return &frameWriter{out: out, zstd: z}, err
}

// Write writes whole frames and keeps the rest.
func (w *frameWriter) Write(p []byte) (n int, err error) {
	for len(p)-n >= frameSize-len(w.content) {
		frame := p[n : n+frameSize-len(w.content)]
		n += len(frame)
		if len(w.content) > 0 {
			frame = append(w.content, frame...)
			w.content = w.content[:0]
		}
		if err := w.writeFrame(frame); err != nil {
			return n, err
		}
	}
	w.content = append(w.content, p[n:]...)
	return len(p), nil
}

// flush ends the frame.
func (w *frameWriter) flush() error {
	if len(w.content) == 0 {
		return nil
	}
	content := w.content
	w.content = w.content[:0]
	return w.writeFrame(content)
}

func (w *frameWriter) writeFrame(content []byte) error {
	w.frame = w.zstd.EncodeAll(content, w.frame[:0])
	_, err := w.out.Write(w.frame)
	return err
}

// frameReader reads what a frameWriter wrote, on several threads.
type frameReader struct {
	in      *bufio.Reader
	zstd    *zstd.Decoder
	threads int
	content []byte // rest of a frame that was larger than what was asked for
	left    []byte // bytes of content to read
}

// newFrameReader returns a reader of zstd frames. Files of earlier versions are one frame that
// does not state its size and is read on one thread.
func newFrameReader(in *bufio.Reader) (io.ReadCloser, error) {
	first, err := frameHeader(in)
	if err != nil {
		return nil, err
	}
	if !first.HasFCS {
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	threads := runtime.GOMAXPROCS(0)
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(threads), zstd.WithDecodeAllCapLimit(true))
	return &frameReader{in: in, zstd: z, threads: threads}, err
}

// Read decompresses frames into p while they fit.
func (r *frameReader) Read(p []byte) (int, error) {
	if len(r.left) == 0 {
		if n, err := r.decode(p); n > 0 || err != nil {
			return n, err
		}
		next, err := r.next()
		if err != nil {
			return 0, err
		}
		size := int(next.FrameContentSize)
		r.content = slices.Grow(r.content[:0], size)[:size]
		n, err := r.decode(r.content)
		if err != nil {
			return 0, err
		}
		r.left = r.content[:n]
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// decode decompresses the next frames into dst while they fit, at most a few for each thread,
// and returns how many bytes that gave. At the end it returns io.EOF.
func (r *frameReader) decode(dst []byte) (n int, err error) {
	var frames, contents [][]byte
	for len(frames) < 2*r.threads {
		next, err := r.next()
		if err == io.EOF && n > 0 {
			break
		}
		if err != nil {
			return 0, err
		}
		size := int(next.FrameContentSize)
		if size > len(dst)-n {
			break
		}
		frame, err := appendFrame(nil, r.in, next)
		if err != nil {
			return 0, err
		}
		frames, contents = append(frames, frame), append(contents, dst[n:n:n+size])
		n += size
	}
	err = parallel.Try(r.threads, len(frames), func(i int) error {
		content, err := r.zstd.DecodeAll(frames[i], contents[i])
		if err == nil && len(content) < cap(contents[i]) {
			err = io.ErrUnexpectedEOF
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// take returns the next frames as they are, without decompressing them. They must have n bytes
// in them.
func (r *frameReader) take(n int) (frames []byte, err error) {
	frames = make([]byte, 0, r.in.Buffered()) // FromCompact has all of them in the buffer
	for n > 0 {
		next, err := r.next()
		if err != nil {
			return nil, err
		}
		size := int(next.FrameContentSize)
		if len(r.left) > 0 || size > n {
			return nil, errors.New("a table that does not begin and end a frame")
		}
		if frames, err = appendFrame(frames, r.in, next); err != nil {
			return nil, err
		}
		n -= size
	}
	return frames, nil
}

// next returns the header of the next frame. At the end it returns io.EOF.
func (r *frameReader) next() (h zstd.Header, err error) {
	if h, err = frameHeader(r.in); err != nil {
		return h, err
	}
	if h.Skippable || !h.HasFCS || !h.HasCheckSum || h.FrameContentSize < 1 || h.FrameContentSize > frameSize {
		return h, fmt.Errorf("a frame of %d bytes", h.FrameContentSize)
	}
	return h, nil
}

// Close releases the decoder.
func (r *frameReader) Close() error {
	r.zstd.Close()
	return nil
}

// frameHeader returns the header of a frame without reading it. At the end it returns io.EOF.
func frameHeader(in *bufio.Reader) (h zstd.Header, err error) {
	head, err := in.Peek(zstd.HeaderMaxSize)
	if len(head) == 0 {
		return h, err
	}
	return h, h.Decode(head)
}

// appendFrame appends a frame with a header and a checksum to dst, without decompressing it.
func appendFrame(dst []byte, in *bufio.Reader, h zstd.Header) (_ []byte, err error) {
	begin := len(dst)
	take := func(n int) []byte {
		from := len(dst)
		dst = slices.Grow(dst, n)[:from+n]
		if err == nil {
			_, err = io.ReadFull(in, dst[from:])
		}
		return dst[from:]
	}
	take(h.HeaderSize)
	for last := false; !last && err == nil; {
		// RFC 8878, 3.1.1.2: whether it is the last block, its type and its size.
		const repeated = 1 // the type of a block of one byte, size times
		b := take(3)
		bits := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		size := bits >> 3
		if bits>>1&3 == repeated {
			size = 1
		}
		take(size)
		if last = bits&1 == 1; len(dst)-begin > 2*frameSize {
			return nil, errors.New("a frame that is larger than its content")
		}
	}
	take(4) // the checksum
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return dst, err
}
