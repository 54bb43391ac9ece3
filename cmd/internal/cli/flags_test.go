package cli

import "testing"

func TestFlags(t *testing.T) {
	var size Bytes
	n, p := 0, 0.0
	for _, test := range []struct {
		flag interface {
			Set(string) error
			String() string
		}
		text, want string // "" for an error
	}{
		{&size, "8GiB", "8589934592"},
		{&size, "1.5 KiB", "1536"},
		{&size, "8GB", "8000000000"},
		{&size, "1.5 kB", "1500"},
		{&size, "8XB", ""},
		{&size, "0.1", "1"},
		{&size, "0", ""},
		{&size, "GiB", ""},
		{Threads(&n, 1), "3", "3"},
		{Threads(&n, 1), "0", ""},
		{Threads(&n, 0), "0", "0"},
		{Threads(&n, 0), "99999999999999999999", ""},
		{Threads(&n, 0), "two", ""},
		{Probability(&p), "1", "1"},
		{Probability(&p), "1.1", ""},
		{Probability(&p), "NaN", ""},
	} {
		switch err := test.flag.Set(test.text); {
		case (err == nil) != (test.want != ""):
			t.Errorf("%T %q: error %v", test.flag, test.text, err)
		case err == nil && test.flag.String() != test.want:
			t.Errorf("%T %q: %s, want %s", test.flag, test.text, test.flag, test.want)
		}
	}
}
