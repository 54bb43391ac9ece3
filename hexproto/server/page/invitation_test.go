package page_test

import "testing"

// A link invites a friend who has no account yet. It is in no lobby, and ends.
func TestInvitationByLink(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada, eve := open(t, desktop, h.url()), open(t, desktop, h.url())
	ada.enter("ada")
	eve.enter("eve")
	ada.write("input[name=side]", "5")
	ada.choose("select[name=opponent]", "a friend, by a link")
	ada.choose("select[name=seat]", "me")
	ada.click("form button", "Make the link")
	ada.sees(".notice", "Send this link")
	link := ada.all(".notice code")[0]
	eve.sees(".empty", "There are none")

	bob := open(t, phone, link)
	bob.write("input[name=name]", "bob")
	bob.tap("button", "Enter")
	bob.sees("h1", "ada invites you to Havannah")
	bob.sees(".panel", "side 5")
	bob.sees(".panel", "They move first.")
	bob.tap("button", "Play")
	bob.sees(".turn", "ada to move")
	ada.sees(".turn", "Your move")
	if n := len(ada.all(".notice code")); n != 0 {
		t.Error("the link is still shown")
	}
	eve.visit(link[len(h.url())+len("#/"):])
	eve.sees("h1", "This invitation has ended")
}
