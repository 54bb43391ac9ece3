package arena

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// A match continues its file, and ends once its test is decided.
func TestMatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games.jsonl")
	m := Match{Series: *series(), File: file}
	m.Games = 4
	if err := m.Play(t.Context()); err != nil || m.Score.Games() != 4 {
		t.Fatalf("%+v, %v", m.Score, err)
	}
	played := 0
	m.Games, m.Test, m.OnGame = 400, &SPRT{Elo0: 0, Elo1: 100}, func(*GameRecord) { played++ }
	if err := m.Play(t.Context()); err != nil || m.tested() != 1 ||
		m.Score.Games() != played+4 || played > 90 {
		t.Errorf("%+v after %d more games: %v", m.Score, played, err)
	}
}

// A bot that cannot play, or fails in the first games, ends a match. One that fails later loses.
func TestMatchOfFaulty(t *testing.T) {
	m := Match{Series: *series()}
	m.Games, m.B.Bot = 100, faulty("fails")
	lost := (*HopelessError)(nil)
	if err := m.Play(t.Context()); !errors.As(err, &lost) || lost.Name != "b" ||
		lost.Fault != "out of ideas" || m.Score.Games() != 4 {
		t.Errorf("%+v, %v", m.Score, err)
	}
	m.Games = 2
	if err := m.Play(t.Context()); err != nil || m.Score.Wins != 2 || m.Failures("b") != 2 || m.Failures("a") != 0 {
		t.Errorf("%+v, %v, %v", m.Score, m.Faults, err)
	}
	m.B.Bot = faulty("stays away")
	unfit := (*UnfitError)(nil)
	m.Options = []byte(`{"side":99}`)
	if err := m.Play(t.Context()); !errors.As(err, &unfit) || unfit.Bot != 0 {
		t.Errorf("an impossible board: %v", err)
	}
}

// An interrupted match has the result of its finished games.
func TestMatchEnds(t *testing.T) {
	m := Match{Series: *series()}
	ctx, cancel := context.WithCancel(t.Context())
	m.OnGame = func(*GameRecord) { cancel() }
	if err := m.Play(ctx); !errors.Is(err, context.Canceled) || m.Score.Games() != 1 {
		t.Errorf("interrupted: %+v, %v", m.Score, err)
	}
}
