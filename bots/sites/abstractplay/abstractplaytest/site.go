// Package abstractplaytest has a stand-in for Abstract Play, for tests: [Site]. It was written from the site's
// documents and shares no code with package abstractplay. It signs, challenges, gives tokens, is the referee, and
// refuses what the site refuses. TestStandin of package abstractplay plays games with a bot that runs.
package abstractplaytest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/havannah"
)

// The paths of a Site.
const (
	KeyPath   = "/ap-public-key.txt"
	TokenPath = "/oauth2/token"
	QueryPath = "/prod/botQuery"
)

// Scope is that of tokens.
const Scope = "stand-in/communicate"

// Site is a stand-in for the site with one bot. NewSite makes one. Its paths are served by ServeHTTP.
type Site struct {
	ClientID, Secret string
	Endpoint         string       // the bot's
	Client           *http.Client // sends requests to the bot
	// Choose returns the opponents' move; nil is a random one.
	Choose func(*havannah.Board) havannah.Move
	// OnQuery, if not nil, is called with a request of the bot before it is looked at, and may answer it.
	OnQuery func(w http.ResponseWriter, r *http.Request) (answered bool)
	// OnMoved, if not nil, is called when a move was made, before the bot is told, and may answer in the site's place.
	OnMoved func(w http.ResponseWriter, g *Game) (answered bool)
	// OnAsked, if not nil, is called with the status of each request for a move, 0 if there was none.
	OnAsked func(g *Game, status int)
	Plain   bool     // answers are the games themselves, as the documents say, not what the gateway makes of them
	Token   string   // the valid one, "" for none
	Tokens  int      // given
	Refused []string // moves that were refused, and why

	key   ed25519.PrivateKey
	mu    sync.Mutex
	games map[string]*Game
	wait  sync.WaitGroup
}

// Game is a game between the bot and an opponent.
type Game struct {
	ID       string
	Variants []string
	Bot      int           // its seat, which a pie changes
	Pie      bool          // the opponent will exchange the players after the bot's first stone
	Done     chan struct{} // closed at the end
	Result   string        // then: "won", "lost" or "drawn" for the bot, or "resigned" by it

	board  *havannah.Board
	moves  int // made by the bot
	random *mathrand.Rand
}

// NewSite returns a site with a new key and a new bot.
func NewSite(endpoint string) *Site {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // there is no randomness
	}
	return &Site{
		ClientID: "bot-" + rand.Text(), Secret: rand.Text(), Endpoint: endpoint, Client: http.DefaultClient, key: key,
		games: map[string]*Game{},
	}
}

// Wait waits until all requests to the bot have been answered.
func (s *Site) Wait() { s.wait.Wait() }

// PublicKey returns what the site publishes: the key in the format of RFC 4716.
func (s *Site) PublicKey() string {
	var blob []byte
	for _, part := range [][]byte{[]byte("ssh-ed25519"), s.key.Public().(ed25519.PublicKey)} {
		blob = append(binary.BigEndian.AppendUint32(blob, uint32(len(part))), part...)
	}
	text := base64.StdEncoding.EncodeToString(blob)
	return "---- BEGIN SSH2 PUBLIC KEY ----\nComment: \"Stand-in\"\n" + text[:64] + "\n" + text[64:] +
		"\n---- END SSH2 PUBLIC KEY ----\n"
}

// Sign returns the headers of a body that is signed at a time with a nonce.
func (s *Site) Sign(body []byte, at time.Time, nonce string) http.Header {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signature := ed25519.Sign(s.key, append([]byte(timestamp+"."+nonce+"."), body...))
	return http.Header{
		"Content-Type":          {"application/json"},
		"X-Signature-Timestamp": {timestamp},
		"X-Signature-Nonce":     {nonce},
		"X-Signature":           {base64.StdEncoding.EncodeToString(signature)},
	}
}

// Send sends a body with headers to the bot, and returns the status and the text of the answer.
func (s *Site) Send(method string, body []byte, h http.Header) (status int, text string, err error) {
	r, err := http.NewRequest(method, s.Endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header = h
	response, err := s.Client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, string(answer), err
}

// Post signs a message and sends it.
func (s *Site) Post(message any) (status int, text string, err error) {
	body, err := json.Marshal(message)
	if err != nil {
		return 0, "", err
	}
	return s.Send(http.MethodPost, body, s.Sign(body, time.Now(), rand.Text()))
}

// Challenge returns the message of a challenge.
func Challenge(from string, hours int, variants ...string) map[string]any {
	return map[string]any{
		"verb": "challenge", "metaGame": "havannah", "variants": append([]string{}, variants...), "clockStart": hours,
		"clockInc": hours / 3, "clockMax": 2 * hours, "challengers": []string{from},
	}
}

// Message returns the request for a move in a game.
func (s *Site) Message(g *Game) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return g.message()
}

func (g *Game) message() map[string]any {
	moves := [][]string{}
	for i := range g.board.NumMoves() {
		if i%2 == 0 {
			moves = append(moves, nil)
		}
		text := havannah.AbstractPlay.Format(g.board, g.board.Move(i))
		moves[i/2] = append(moves[i/2], text)
	}
	return map[string]any{
		"verb": "move", "metaGame": "havannah", "variants": g.Variants, "gameid": g.ID, "clockCurr": 72,
		"numPlayers": 2, "moves": moves,
	}
}

// Play begins a game in which the bot has a seat. The opponent may exchange the players.
func (s *Site) Play(seat int, pie bool, seed uint64, variants ...string) (*Game, error) {
	side := 8
	if len(variants) > 0 {
		var err error
		if side, err = strconv.Atoi(strings.TrimPrefix(variants[0], "size-")); err != nil {
			return nil, err
		}
	}
	board, err := havannah.New(side)
	if err != nil {
		return nil, err
	}
	g := &Game{
		ID: rand.Text(), Variants: append([]string{}, variants...), Bot: seat, Pie: pie, Done: make(chan struct{}),
		board: board, random: mathrand.New(mathrand.NewPCG(seed, 1)),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.games[g.ID] = g
	s.goOn(g)
	return g, nil
}

// goOn lets the opponent move, and asks the bot if it is its turn. The caller holds the lock.
func (s *Site) goOn(g *Game) {
	for !g.over() {
		if seat := g.board.NumMoves() % 2; seat == g.Bot {
			s.ask(g)
			return
		}
		if g.Pie && g.board.NumMoves() == 1 {
			g.Pie, g.Bot = false, 1-g.Bot
			continue
		}
		moves := g.board.AppendMoves(nil)
		if g.board.CanSwap() {
			moves = moves[:len(moves)-1] // there is no such move here
		}
		move := moves[g.random.IntN(len(moves))]
		if s.Choose != nil {
			move = s.Choose(g.board)
		}
		if err := g.board.Play(move); err != nil {
			panic(err) // Choose is wrong
		}
	}
}

// over ends a game that is over by the rules, and reports whether it is over.
func (g *Game) over() bool {
	if g.Result == "" && g.board.Over() {
		g.end(map[int]string{g.Bot: "won", 1 - g.Bot: "lost", -1: "drawn"}[int(g.board.Winner())-int(havannah.White)])
	}
	return g.Result != ""
}

func (g *Game) end(result string) {
	g.Result = result
	close(g.Done)
}

// Ask asks the bot again, if it is to move.
func (s *Site) Ask(g *Game) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !g.over() && g.board.NumMoves()%2 == g.Bot {
		s.ask(g)
	}
}

// GoOn lets the opponent move.
func (s *Site) GoOn(g *Game) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goOn(g)
}

func (s *Site) ask(g *Game) {
	message := g.message()
	s.wait.Go(func() {
		status, _, err := s.Post(message)
		if err != nil {
			status = 0
		}
		if s.OnAsked != nil {
			s.OnAsked(g, status)
		}
	})
}

// ServeHTTP serves the public key, tokens and queries.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case KeyPath:
		_, _ = io.WriteString(w, s.PublicKey())
	case TokenPath:
		s.giveToken(w, r)
	case QueryPath:
		if s.OnQuery == nil || !s.OnQuery(w, r) {
			s.query(w, r)
		}
	default:
		http.NotFound(w, r)
	}
}

func (s *Site) giveToken(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	form := func(key string) string { return r.PostFormValue(key) }
	if r.Method != http.MethodPost || form("grant_type") != "client_credentials" || form("client_id") != s.ClientID ||
		form("client_secret") != s.Secret || form("scope") != Scope {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_client"}`)
		return
	}
	s.Token = rand.Text()
	s.Tokens++
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": s.Token, "expires_in": 3600, "token_type": "Bearer"})
}

// query takes a move.
func (s *Site) query(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if s.Token == "" || r.Header.Get("Authorization") != "Bearer "+s.Token {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"message":"Unauthorized"}`)
		return
	}
	var m struct{ Verb, GameID, MetaGame, Move string }
	g, err := (*Game)(nil), json.NewDecoder(r.Body).Decode(&m)
	if err == nil {
		g, err = s.move(m.Verb, m.GameID, m.MetaGame, m.Move)
	}
	if err != nil {
		s.Refused = append(s.Refused, fmt.Sprintf("%s in %s: %v", m.Move, m.GameID, err))
		s.answer(w, http.StatusInternalServerError, map[string]string{"message": err.Error()})
		return
	}
	if s.OnMoved != nil && s.OnMoved(w, g) {
		return
	}
	s.goOn(g)
	s.answer(w, http.StatusOK, g.message())
}

// answer answers as the gateway does: with status 200, and what the function behind it has returned.
func (s *Site) answer(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	if s.Plain {
		w.WriteHeader(status)
		_, _ = w.Write(text)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"statusCode": status, "body": string(text), "headers": map[string]string{"content-type": "application/json"},
	})
}

// move makes a move of the bot.
func (s *Site) move(verb, id, metaGame, text string) (*Game, error) {
	g := s.games[id]
	switch {
	case verb != "move":
		return nil, fmt.Errorf("unknown verb %q", verb)
	case metaGame != "havannah":
		return nil, errors.New("metaGame is another game")
	case g == nil || g.Result != "":
		return nil, fmt.Errorf("no game %s", id)
	case g.board.NumMoves()%2 != g.Bot:
		return nil, errors.New("it is not the bot's turn")
	case text == "timeout":
		return nil, errors.New("the opponent's time is not up")
	case text == "resign":
		g.end("resigned")
		return g, nil
	}
	move, err := havannah.AbstractPlay.Parse(g.board, text)
	if err == nil && (move == havannah.Swap || text != havannah.AbstractPlay.Format(g.board, move)) {
		err = errors.New("no cell")
	}
	if err == nil {
		err = g.board.Play(move)
	}
	if err != nil {
		return nil, fmt.Errorf("move %s: %w", text, err)
	}
	g.moves++
	return g, nil
}

// NumMoves returns how many moves were made in a game by both players.
func (s *Site) NumMoves(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.games[id]; g != nil {
		return g.board.NumMoves()
	}
	return 0
}

// Last returns the last move of a game. It is for OnMoved.
func (g *Game) Last() string {
	return havannah.AbstractPlay.Format(g.board, g.board.Move(g.board.NumMoves()-1))
}

// Moves returns how many moves the bot has made.
func (s *Site) Moves(g *Game) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return g.moves
}
