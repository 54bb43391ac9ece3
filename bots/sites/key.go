package sites

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
)

// Key is a secret by which a site knows its user. It prints as "key", in whatever it is part of.
type Key struct{ secret *string } // a pointer, because fmt prints unexported fields

// NewKey returns a key. It has only visible characters of ASCII.
func NewKey(secret string) (Key, error) {
	if secret == "" || strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Key{}, fmt.Errorf("a key is one line of letters, digits and signs, without blanks")
	}
	return Key{&secret}, nil
}

// ErrNoKey is the error of a key that is neither in a file nor in the environment.
var ErrNoKey = errors.New("the site needs a key, and there is none")

// maxKey is more bytes than any key has.
const maxKey = 1 << 12

// ReadKey returns the key in a file, which is made private to its owner, or without a file that in a variable of the
// environment.
func ReadKey(file, variable string) (Key, error) {
	text, from := os.Getenv(variable), "$"+variable
	if file != "" {
		if err := atomicfile.MakePrivate(file); err != nil {
			return Key{}, err
		}
		data, err := configs.ReadFileAtMost(file, maxKey)
		if errors.Is(err, fs.ErrNotExist) { // without its name: many a key was given where its file was meant
			return Key{}, usererr.WithHint(errors.New("no such file: that of the key"),
				"give the path of a file that has the key, not the key itself")
		}
		if err != nil {
			return Key{}, err
		}
		text, from = string(data), file
	} else if text == "" {
		return Key{}, usererr.Usage(ErrNoKey)
	}
	key, err := NewKey(strings.TrimSpace(text))
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", from, err)
	}
	return key, nil
}

// set adds the key to the headers of a request.
func (k Key) set(h http.Header, name string) {
	switch {
	case k.secret == nil:
	case name == "Authorization":
		h.Set(name, "Bearer "+*k.secret)
	default:
		h.Set(name, *k.secret)
	}
}

// reveal returns the secret, for a request that has it in its body.
func (k Key) reveal() string {
	return *cmp.Or(k.secret, new(string))
}

// hide replaces the key in a text.
func (k Key) hide(text string) string {
	if k.secret == nil {
		return text
	}
	return strings.ReplaceAll(text, *k.secret, k.String())
}

// String returns "key".
func (Key) String() string { return "key" }

// MarshalText returns "key".
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
