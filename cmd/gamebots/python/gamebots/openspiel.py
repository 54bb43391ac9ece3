"""Bots for OpenSpiel, and for Kaggle's environments that wrap it.

>>> import pyspiel
>>> from gamebots.openspiel import Bot
>>> game = pyspiel.load_game("havannah(board_size=8)")
>>> bot = Bot(game)
>>> state = game.new_initial_state()
>>> state.apply_action(bot.step(state))

A Bot has the methods of pyspiel.Bot. It looks at the information state of the player to move, the legal actions and
the public part of the history; OpenSpiel itself is not needed.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any, Sequence

from . import Engine, Error, Policy, train

__all__ = ["Bot", "GAMES"]


class Bot:
    """Plays a game of OpenSpiel: `game` is a pyspiel.Game or its string.

    `seconds` is the time of a move of Havannah. `strategy` is a file, or else the strategy that comes with the program
    or, in small games, one that is trained at once. `seed` makes its draws the same each time.
    """

    def __init__(self, game: Any, *, seconds: float = 1, strategy: str | None = None, seed: int | None = None) -> None:
        name, parameters = _parse(str(game))
        if name not in GAMES:
            raise Error(f"{name}: there are bots for {', '.join(sorted(GAMES))}")
        self._random = random.Random(seed)
        self._player = GAMES[name](parameters, seconds, strategy)

    def answer(self, player: int, observation: str, legal: Sequence[int], history: Sequence[int] = ()) -> int:
        """Returns an action for a player's information state string.

        The history of universal_poker says in which order the board came; without it the order of the string counts.
        """
        return self._random.choices(*zip(*self.policy(player, observation, legal, history)))[0]

    def policy(self, player: int, observation: str, legal: Sequence[int],
               history: Sequence[int] = ()) -> list[tuple[int, float]]:
        """Returns the probabilities of actions, of one alone where the bot searches."""
        try:
            return self._player.policy(player, observation, list(legal), list(history))
        except (LookupError, ValueError) as fault:
            raise Error(f"{observation!r}: no information state of the game") from fault

    def step(self, state: Any) -> int:
        """Returns an action of the player to move."""
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Returns the probabilities, and an action drawn from them."""
        policy = self.get_policy(state)
        return policy, self._random.choices(*zip(*policy))[0]

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Returns the probabilities of the player to move."""
        player = state.current_player()
        return self.policy(player, state.information_state_string(player), state.legal_actions(), state.history())

    def provides_policy(self) -> bool:
        """Says that get_policy works."""
        return True

    def restart(self) -> None:
        """Begins anew. Nothing is kept from move to move."""

    def restart_at(self, state: Any) -> None:
        """Goes on from a state. Nothing is kept from move to move."""

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Hears of an action. Nothing is kept from move to move."""

    def close(self) -> None:
        """Ends the program behind the bot."""
        if self._player.bot:
            self._player.bot.close()


class _Havannah:
    """Cells are numbered by rows of the skewed grid. Letters and numbers of OpenSpiel are HGui's, reflected."""

    def __init__(self, parameters: dict[str, str], seconds: float, strategy: str | None) -> None:
        self.side = int(parameters.get("board_size", 8))
        swap = parameters.get("swap", "False").lower() == "true"  # white has the second move without, and cannot swap
        self.colours = ("white", "black") if swap else ("black", "white")
        self.bot = Engine(time=f"{seconds}s", net=strategy)

    def policy(self, player: int, observation: str, legal: list[int], history: list[int]) -> list[tuple[int, float]]:
        moves = [int(move) for move in re.findall(r"\d+", observation)]
        self.bot.send(f"boardsize {self.side}")
        for i, move in enumerate(moves):
            self.bot.send(f"play {self.colours[i % 2]} {self.cell(move)}")
        answer = self.bot.send(f"genmove {self.colours[player]}")
        if answer == "swap":
            return [(moves[0], 1.0)]
        named = {self.cell(action): action for action in legal}
        return [(named.get(answer, legal[0]), 1.0)]  # the first cell in place of a resignation

    def cell(self, action: int) -> str:
        row, column = divmod(action, 2 * self.side - 1)
        return chr(ord("a") + column) + str(row + 1)


class _Cards:
    """A game of which the program has a strategy. `cards` and `betting` of a state are the ACPC's."""

    def __init__(self, strategy: str) -> None:
        self.bot = Policy(strategy)

    def ask(self, player: int, players: int, betting: str, hand: str, board: str = "") -> dict[str, float]:
        hands = "|".join(hand if p == player else "" for p in range(players))
        return self.bot.probabilities(f"MATCHSTATE:{player}:0:{betting}:{hands}{board}")


class _Kuhn(_Cards):
    def __init__(self, parameters: dict[str, str], seconds: float, strategy: str | None) -> None:
        _only("kuhn_poker", parameters, players="2")
        super().__init__(strategy or _trained("kuhn", iterations=10000))

    def policy(self, player: int, observation: str, legal: list[int], history: list[int]) -> list[tuple[int, float]]:
        card, betting, bet = _card(observation[0], 1, 3), "", False
        for action in observation[1:]:
            betting += {("p", False): "c", ("p", True): "f", ("b", False): "r", ("b", True): "c"}[action, bet]
            bet = bet or action == "b"
        return _numbered(self.ask(player, 2, betting, card), {"f": 0, "c": 1 if bet else 0, "r": 1}, legal)


class _Leduc(_Cards):
    def __init__(self, parameters: dict[str, str], seconds: float, strategy: str | None) -> None:
        _only("leduc_poker", parameters, players="2", action_mapping="False", suit_isomorphism="False")
        super().__init__(strategy or _trained("leduc", iterations=1000))

    def policy(self, player: int, observation: str, legal: list[int], history: list[int]) -> list[tuple[int, float]]:
        shown = dict(re.findall(r"\[(\w+): ?([^]]*)\]", observation))
        first, second = (re.sub(r"\D", "", shown[name]).translate(_BETS) for name in ("Round1", "Round2"))
        board = "/" + _card(shown["Public"], 2, 3) if "Public" in shown else ""
        betting = f"{first}/{second}" if board else first
        answer = self.ask(player, 2, betting, _card(shown["Private"], 2, 3), board)
        return _numbered(answer, {"f": 0, "c": 1, "r": 2}, legal)


class _LiarsDice:
    def __init__(self, parameters: dict[str, str], seconds: float, strategy: str | None) -> None:
        _only("liars_dice", parameters, players="2", numdice="1", dice_sides="6", bidding_rule="reset-face")
        profile = json.loads(Path(strategy or _trained("liars-dice-6", ".profile.json", iterations=100)).read_text())
        self.sets = {x["set"]: x for x in profile["strategies"]}
        self.bot = None  # the profile is read at once here, and takes the program a second

    def policy(self, player: int, observation: str, legal: list[int], history: list[int]) -> list[tuple[int, float]]:
        die, *bids = observation.split()
        answer = self.sets[f"{die}:{','.join(bids).replace('-', 'x')}"]
        numbers = {f"{dice}x{face}": 6 * (dice - 1) + face - 1 for dice in (1, 2) for face in range(1, 7)}
        probability = dict(zip(answer["actions"], map(float, answer["probabilities"])))
        return _numbered(probability, {**numbers, "doubt": 12}, legal)


class _UniversalPoker(_Cards):
    """Game definitions of the ACPC. The program knows which of its strategies is for one."""

    def __init__(self, parameters: dict[str, str], seconds: float, strategy: str | None) -> None:
        self.of = {**_POKER, **parameters}
        self.players, self.ranks, self.suits = (int(self.of[name]) for name in ("numPlayers", "numRanks", "numSuits"))
        self.dealt = [int(n) for n in self.of["numBoardCards"].split()]
        limit = self.of["betting"] == "limit"
        lines = [f"{name} = {value}" for name, value in self.of.items()
                 if value and name in _POKER and name not in ("betting", "bettingAbstraction", "stack" if limit else "raiseSize")]
        file = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / "openspiel.game"  # the program reads it when it has started
        file.write_text("\n".join(["GAMEDEF", self.of["betting"], *lines, "END GAMEDEF", ""]))
        if strategy is None and self.ranks * self.suits <= 24 and self.of["numHoleCards"] == "1":
            strategy = _trained(str(file), iterations=200, **({} if limit else {"actions": "fcpa"}))
        super().__init__(strategy or str(file))

    def policy(self, player: int, observation: str, legal: list[int], history: list[int]) -> list[tuple[int, float]]:
        shown = dict(re.findall(r"\[(\w+): ?([^]]*)\]", observation))
        rounds = shown["Sequences"].split("|")
        board = self.board(rounds, history) or re.findall("..", self.high(shown["Public"]))
        streets = ""
        for n in self.dealt[1 : len(rounds)]:
            streets += "/" + "".join(board[:n])
            board = board[n:]
        answer = self.ask(player, self.players, "/".join(rounds), self.high(shown["Private"]), streets)
        money = [int(chips) for chips in shown["Money"].split()]
        numbers = {name: self.raised(int(name[1:] or 0), player, money, legal) for name in answer if name[0] == "r"}
        return _numbered(answer, {"f": 0, "c": 1, **numbers}, legal)

    def board(self, rounds: list[str], history: list[int]) -> list[str]:
        """Returns the board in the order of its deals, which come between the players' actions."""
        at = self.players * int(self.of["numHoleCards"])
        cards: list[str] = []
        for betting, n in zip(rounds, self.dealt[1:]):
            at += len(re.findall("[fcr]", betting))
            cards += [_card(number, self.suits, self.ranks, "cdhs") for number in history[at : at + n]]
            at += n
        return cards

    def high(self, cards: str) -> str:
        """Returns cards of a short deck, which has the lowest ranks there and the highest ones here."""
        return cards.translate(str.maketrans(_RANKS[: self.ranks], _RANKS[-self.ranks :]))

    def raised(self, to: int, player: int, money: list[int], legal: list[int]) -> int:
        """Returns the number of a raise: the chips, or in an abstraction the bet that comes nearest to it."""
        if self.of["betting"] == "limit" or not to:
            return 2
        stacks = [int(chips) for chips in self.of["stack"].split()]
        spent = [stack - left for stack, left in zip(stacks, money)]
        pot = sum(spent) + max(spent) - spent[player]
        sizes = {2: max(spent) + pot, 3: stacks[player], 4: max(spent) + pot // 2}
        if self.of["bettingAbstraction"] == "fullgame":
            sizes = {action: action for action in legal}
        return min((action for action in legal if action > 1), key=lambda action: abs(sizes[action] - to), default=1)


def _numbered(answer: dict[str, float], numbers: dict[str, int], legal: list[int]) -> list[tuple[int, float]]:
    """Returns the probabilities of legal actions, by their numbers."""
    weights = dict.fromkeys(legal, 0.0)
    for name, probability in answer.items():
        if numbers[name] in weights:
            weights[numbers[name]] += probability
    total = sum(weights.values())
    if total == 0:
        raise Error(f"the strategy plays {', '.join(answer)}, and none of it is legal")
    return [(action, weight / total) for action, weight in weights.items() if weight > 0]


def _parse(game: str) -> tuple[str, dict[str, str]]:
    """Splits a game's string. Kaggle's games are proxies of others."""
    name, _, rest = game.partition("(")
    return name.removesuffix("_proxy"), dict(re.findall(r"(\w+)=([^,]*)", rest.removesuffix(")")))


def _only(game: str, parameters: dict[str, str], **wanted: str) -> None:
    """Refuses parameters with other values than those wanted, which are OpenSpiel's own."""
    for name, want in wanted.items():
        if parameters.get(name, want).lower() != want.lower():
            raise Error(f"{game}: there is a bot for {name}={want}")


def _trained(game: str, end: str = ".strategy", **flags: object) -> str:
    """Trains a small game, which takes less than a second, in a file that lasts as long as the process."""
    file = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / ("small" + end)
    train(game, file, **flags)
    return str(file)


def _card(number: int | str, suits: int, ranks: int, names: str = "sh") -> str:
    rank, suit = divmod(int(number), suits)
    return _RANKS[rank - ranks] + names[suit]


_FOLDER = tempfile.TemporaryDirectory(prefix="gamebots-")
_BETS = str.maketrans("012", "fcr")
_RANKS = "23456789TJQKA"

# What universal_poker takes where its string is silent.
_POKER = {
    "betting": "nolimit", "bettingAbstraction": "fcpa", "numPlayers": "2", "numRounds": "2", "stack": "1200 1200",
    "blind": "100 100", "raiseSize": "100 100", "firstPlayer": "1 1", "maxRaises": "", "numSuits": "4", "numRanks": "6",
    "numHoleCards": "1", "numBoardCards": "0 1",
}

GAMES = {
    "havannah": _Havannah, "kuhn_poker": _Kuhn, "leduc_poker": _Leduc, "liars_dice": _LiarsDice,
    "universal_poker": _UniversalPoker,
}
