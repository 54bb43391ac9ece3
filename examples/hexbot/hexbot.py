"""Plays a game of Havannah against the bot "random" of a server, itself by random moves.

python3 hexbot.py http://127.0.0.1:8080 [TOKEN]
"""
import base64, json, os, random, socket, ssl, struct, sys, time, urllib.parse


def choose(game, view):
    return random.choice(view["legal"])


def play(url, hello, tag):
    """Plays the game with the tag, from its challenge or from where it stands, and returns how it ended."""
    server, game = Websocket(url), None
    server.send("hello", version=1, views=True, **hello)
    for m in server.messages():
        kind = m["type"]
        if kind == "welcome":
            hello.update({"token": m["token"]} if "token" in m else {})  # that of a new account, sent once
            server.send("challenge", rules="havannah", options={"side": 5}, to="random", tag=tag,
                        clock={"main": 300_000, "increment": 2000, "per_move": 0})
        elif kind == "error" and m["code"] == "duplicate":  # the game has begun already
            server.send("watch", game=m["game"])
        elif kind == "error" and m["code"] != "turn":  # a move may have been made before the connection was lost
            sys.exit(m["text"])
        elif m.get("tag") == tag or game and m.get("game") == game["game"]:
            game = m if kind == "game" else game
            if "result" in m:
                return game, m["result"]
            if kind in ("game", "moved") and game["you"] in m["to_move"]:
                turn = m["turn"] + 1 if kind == "moved" else m["turn"]
                server.send("play", game=game["game"], turn=turn, move=choose(game, m["view"]))


class Websocket:
    """A connection to a server, by the standard library alone."""

    def __init__(self, url):
        secure = url.scheme == "https"
        self.line = socket.create_connection((url.hostname, url.port or (443 if secure else 80)), timeout=60)
        if secure:
            self.line = ssl.create_default_context().wrap_socket(self.line, server_hostname=url.hostname)
        self.line.sendall(f"GET /ws HTTP/1.1\r\nHost: {url.netloc}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                          f"{base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode())
        self.stream = self.line.makefile("rb")
        head = list(iter(lambda: self.stream.readline().strip(), b""))
        if not head or b" 101 " not in head[0]:
            raise ConnectionError(f"no websocket: {head}")

    def send(self, kind, **fields):
        self.frame(1, json.dumps({"type": kind, "id": 1, **fields}).encode())

    def frame(self, kind, data):
        mask = os.urandom(4)
        size = bytes([128 + len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.line.sendall(bytes([128 + kind]) + size + mask + bytes(x ^ mask[i % 4] for i, x in enumerate(data)))

    def read(self, size):
        data = self.stream.read(size)
        if len(data) < size:
            raise ConnectionError("the connection was lost")
        return data

    def messages(self):
        text = b""
        while True:
            first, size = self.read(2)
            if size > 125:
                size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
            data, kind = self.read(size), first & 15
            if kind == 8:
                raise ConnectionError("the server closes the connection")
            elif kind == 9:  # a ping is answered by a pong
                self.frame(10, data)
            elif kind < 2:  # text, or more of it
                text += data
                if first & 128:
                    yield json.loads(text)
                    text = b""


def main(address, token=None):
    hello = {"token": token} if token else {"name": f"hexbot{random.randrange(10**6)}", "bot": True}
    tag = f"hexbot-{time.time_ns()}"
    while True:
        try:
            game, result = play(urllib.parse.urlsplit(address), hello, tag)
            break
        except OSError as error:  # the server restarts, or the line is broken
            print(error, file=sys.stderr)
            time.sleep(0.5 + random.random())
    outcome = {game["you"]: "won", -1: "drawn"}.get(result["winner"], "lost")
    print(f"{game['game']}: {outcome} by {result['how']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
