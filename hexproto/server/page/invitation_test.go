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
	ada.sees("h1", "Invite a friend to Havannah")
	link := ada.all(".panel code")[0]
	ada.inspect("invite", "light")
	eve.sees(".empty", "There are none")

	bob := open(t, phone, link)
	bob.sees("h1", "ada invites you to Havannah") // before an account is made
	bob.sees(".panel", "side 5")
	bob.sees(".panel", "They move first.")
	bob.inspect("invited", "phone-light")
	bob.write("input[name=name]", "bob")
	bob.tap("button", "Enter")
	bob.sees("button", "Play") // so far the same heading is that of the view before
	bob.sees("h1", "ada invites you to Havannah")
	bob.sees(".panel", "side 5")
	bob.sees(".panel", "They move first.")
	bob.inspect("join", "phone-light")
	bob.tap("button", "Play")
	bob.sees(".turn", "ada to move")
	ada.sees(".turn", "Your move")
	eve.visit(link[len(h.url())+len("#/"):])
	eve.sees("h1", "This invitation has ended")

	ada.visit("")
	ada.choose("select[name=opponent]", "a friend, by a link")
	ada.click("form button", "Make the link")
	ada.click("button", "Withdraw")
	ada.sees("h1", "This invitation has ended")
	late := open(t, desktop, link)
	late.expect("404")
	late.sees("h1", "This invitation has ended")
	late.enter("late")
	late.sees("h1", "This invitation has ended")
}
