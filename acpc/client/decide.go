package client

import (
	"context"

	"gamebots/acpc"
)

type answer struct {
	action acpc.Action
	err    error
}

// decide asks the player, and acts for it if it is late.
func (m *match) decide(ctx context.Context) (acpc.Action, error) {
	if m.client.Decision == 0 {
		return m.client.Player.Act(ctx, &m.state)
	}
	ctx, cancel := context.WithTimeout(ctx, m.client.Decision)
	defer cancel()
	if m.late != nil {
		// The player still thinks about an earlier turn, whose answer is dropped:
		// calls of a player never overlap.
		select {
		case <-m.late:
			m.late = nil
		case <-ctx.Done():
			return m.playForLate(), nil
		}
	}
	answers := make(chan answer, 1)
	state := m.state // a late player may still read it
	go func() {
		action, err := m.client.Player.Act(ctx, &state)
		answers <- answer{action, err}
	}()
	select {
	case a := <-answers:
		if a.err != nil && ctx.Err() != nil {
			return m.playForLate(), nil // because its context ended
		}
		return a.action, a.err
	case <-ctx.Done():
		m.late = answers
		return m.playForLate(), nil
	}
}

func (m *match) playForLate() acpc.Action {
	action := acpc.Action{Type: acpc.Call}
	if m.state.CanFold() {
		action.Type = acpc.Fold
	}
	if m.client.OnLate != nil {
		m.client.OnLate(m.state.HandID, action)
	}
	return action
}
