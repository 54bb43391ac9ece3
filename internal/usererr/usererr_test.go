package usererr

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestHint(t *testing.T) {
	err := fmt.Errorf("saving: %w", WithHint(fs.ErrPermission, "give another folder"))
	if Hint(err) != "give another folder" || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v has the hint %q", err, Hint(err))
	}
	if h := Hint(fs.ErrPermission); h != "" {
		t.Errorf("an error without advice has the hint %q", h)
	}
}

func TestUsage(t *testing.T) {
	err := WithHint(Usagef("--seed: %w", fs.ErrInvalid), "leave it out")
	if !IsUsage(err) || !errors.Is(err, fs.ErrInvalid) || err.Error() != "--seed: invalid argument" {
		t.Errorf("%v is no usage error", err)
	}
	if IsUsage(fs.ErrInvalid) {
		t.Error("any error is a usage error")
	}
}

// Only the error that a hint is for gets it.
func TestHintIf(t *testing.T) {
	target := errors.New("no file")
	for _, test := range []struct {
		err  error
		want string
	}{{fmt.Errorf("a: %w", target), "give one"}, {errors.New("another"), ""}, {nil, ""}} {
		got := HintIf(test.err, target, "give one")
		if Hint(got) != test.want || (got == nil) != (test.err == nil) {
			t.Errorf("%v: %v with the hint %q, want %q", test.err, got, Hint(got), test.want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 hands", 1: "1 hand", 2: "2 hands"} {
		if got := Counted(n, "hand", "hands"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
