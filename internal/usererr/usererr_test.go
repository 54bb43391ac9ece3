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
