package wire

// The types of the messages in their frames.

func (Hello) kind() string         { return "hello" }
func (Ping) kind() string          { return "ping" }
func (EnterLobby) kind() string    { return "enter_lobby" }
func (Challenge) kind() string     { return "challenge" }
func (ViewChallenge) kind() string { return "view_challenge" }
func (Accept) kind() string        { return "accept" }
func (Decline) kind() string       { return "decline" }
func (Cancel) kind() string        { return "cancel" }
func (Watch) kind() string         { return "watch" }
func (Unwatch) kind() string       { return "unwatch" }
func (Play) kind() string          { return "play" }
func (Resign) kind() string        { return "resign" }
func (Abort) kind() string         { return "abort" }
func (Offer) kind() string         { return "offer" }
func (Chat) kind() string          { return "chat" }
func (Ignore) kind() string        { return "ignore" }
func (Analyse) kind() string       { return "analyse" }
func (Analysis) kind() string      { return "analysis" }
func (Explore) kind() string       { return "explore" }

func (Welcome) kind() string      { return "welcome" }
func (Pong) kind() string         { return "pong" }
func (Ack) kind() string          { return "ack" }
func (Error) kind() string        { return "error" }
func (Lobby) kind() string        { return "lobby" }
func (LobbyChanged) kind() string { return "lobby_changed" }
func (Challenged) kind() string   { return "challenged" }
func (Closed) kind() string       { return "closed" }
func (Game) kind() string         { return "game" }
func (Moved) kind() string        { return "moved" }
func (Offered) kind() string      { return "offered" }
func (Over) kind() string         { return "over" }
func (Said) kind() string         { return "said" }
func (Ignored) kind() string      { return "ignored" }
func (Position) kind() string     { return "position" }
func (Presence) kind() string     { return "presence" }
func (Connections) kind() string  { return "connections" }
func (Restart) kind() string      { return "restart" }
