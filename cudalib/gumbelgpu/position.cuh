// A position of Havannah in the memory of one thread, with what two plies show of it: the same
// as the Candidates of solvers/mcts/havannah and the planes of solvers/hexnet/havannah.
#pragma once

#include "cuda.cuh"

namespace gumbel {

constexpr u32 directions = 6, most_groups = 3, symmetries = 12;

// Planes of a cell, in units of 1/8: see solvers/hexnet/havannah.
constexpr u32 unit = 8;
enum Plane : u32 { own, other, empty, own_wins, other_wins, own_threat, other_threat, own_edges, other_edges,
	own_corner, other_corner, last_stone };

// Board is the geometry of a board.
struct Board {
	const words4 *near;	 // of each cell the neighbours by direction, in 16 bits; the number of cells off the board
	const words4 *still; // of each cell the planes that no stone changes
	const u16 *borders;	 // of each cell a bit for each corner (0 to 5) and edge (6 to 11) that it is part of
	const u16 *images;	 // of each cell under each symmetry
	u32 cells;
};

// Near has the neighbours of a cell.
struct Near {
	words4 pairs;

	__device__ inline u32 operator[](u32 direction) const {
		return pairs[direction / 2] >> 16 * (direction % 2) & 0xffff;
	}
};

// turned returns a set of directions, each one turned by some directions.
__device__ inline u32 turned(u32 set, u32 by) { return (set << by | set >> (directions - by)) & 63; }

__device__ inline bool ends(u32 border) {
	const u32 corners = border & 63, edges = border >> 6, fewer = edges & (edges - 1);
	return (corners & (corners - 1)) || (fewer & (fewer - 1));
}

// Around is an empty cell as one colour sees it.
struct Around {
	u16 border; // of the group that a stone there would belong to
	u8 stones;	// set of directions
	u8 joins;	// groups that it would join, one for each run of stones
	u8 wins;	// whether it completes a structure
	u16 groups[most_groups];

	__device__ inline bool has(u32 group) const {
		for (u32 i = 0; i < joins; i++)
			if (groups[i] == group)
				return true;
		return false;
	}
};

// bytes_of returns the memory that a position on some cells takes: two Arounds of a cell, three
// numbers of 16 bits, a stone, and two threats.
__device__ inline u32 bytes_of(u32 cells) {
	return ((2 * sizeof(Around) + 3 * sizeof(u16) + 3) * cells + 1 + 15) / 16 * 16;
}

constexpr u32 no_cell = 0xffff;

struct Position {
	const Board board;
	Around *const around[2]; // by colour and empty cell, since look
	u16 *const links;		 // of a stone, one nearer to the root of its group
	u16 *const borders;		 // of a root, that of the group
	u16 *const joiners;
	u8 *const stones;	  // of a cell 0, or 1 + colour; also for the cell off the board
	u8 *const threats[2]; // by colour and cell, since count_threats
	u32 turn, last, left; // the colour to move, the last stone, and the number of empty cells

	__device__ Position(const Board &b, u8 *memory)
		: board(b), around{(Around *)memory, (Around *)memory + b.cells}, links((u16 *)(around[1] + b.cells)),
		  borders(links + b.cells),
		  joiners(borders + b.cells), stones((u8 *)(joiners + b.cells)),
		  threats{stones + b.cells + 1, stones + 2 * b.cells + 1} {}

	__device__ inline void clear() {
		for (u32 i = 0; i <= board.cells; i++)
			stones[i] = 0;
		turn = 0, last = no_cell, left = board.cells;
	}

	__device__ inline u32 find(u32 cell) const {
		while (links[cell] != cell)
			cell = links[cell] = links[links[cell]];
		return cell;
	}

	// own returns the set of directions with stones of a colour.
	__device__ inline u32 own_stones(const Near &near, u32 colour) const {
		u32 set = 0;
#pragma unroll
		for (u32 d = 0; d < directions; d++)
			set |= (stones[near[d]] == 1 + colour ? 1u : 0u) << d;
		return set;
	}

	// play puts a stone of the player to move. It must not end the game.
	__device__ inline void play(u32 cell) {
		const Near near = {board.near[cell]};
		u32 root = cell, border = board.borders[cell];
		stones[cell] = 1 + turn;
		links[cell] = cell;
		for (u32 d = 0; d < directions; d++)
			if (stones[near[d]] == 1 + turn) {
				const u32 group = find(near[d]);
				if (group != root) {
					border |= borders[group];
					root = links[root] = group;
				}
			}
		borders[root] = border;
		turn ^= 1, last = cell, left--;
	}

	// view returns an empty cell as a colour sees it.
	__device__ inline Around view(u32 cell, u32 colour) const {
		const Near near = {board.near[cell]};
		const u32 set = own_stones(near, colour);
		Around a = {board.borders[cell], (u8)set, 0, 0, {}};
		for (u32 firsts = set & ~turned(set, 1); firsts; firsts &= firsts - 1) {
			const u32 group = find(near[__builtin_ctz(firsts)]);
			a.border |= borders[group];
			a.wins |= a.has(group); // two runs of a group: a ring
			a.groups[a.joins++] = group;
		}
		a.wins |= ends(a.border);
		// A neighbour between two others may be surrounded then: a ring, too.
		for (u32 middles = set & turned(set, 1) & turned(set, directions - 1); middles && !a.wins;
				middles &= middles - 1) {
			const Near beside = {board.near[near[__builtin_ctz(middles)]]};
			bool surrounded = true;
			for (u32 d = 0; d < directions; d++)
				surrounded &= beside[d] == cell || stones[beside[d]] == 1 + colour;
			a.wins |= surrounded;
		}
		return a;
	}

	// Wins are the cells where a stone completes a structure.
	struct Wins {
		u32 first, last, count; // no_cell and 0 if there are none
	};

	// look views all empty cells, and returns the wins of the player to move and of the other.
	__device__ inline void look(Wins &mine, Wins &theirs) const {
		mine = theirs = {no_cell, no_cell, 0};
		for (u32 cell = 0; cell < board.cells; cell++) {
			if (stones[cell])
				continue;
			for (u32 c = 0; c < 2; c++) {
				const Around a = around[c][cell] = view(cell, c);
				if (a.wins) {
					Wins &w = c == turn ? mine : theirs;
					w.first = w.count ? w.first : cell, w.last = cell, w.count++;
				}
			}
		}
	}

	// rings reports whether stones on two neighbours close a ring: the second one, from which
	// the first is in the direction `back`, touches a group of the first once more.
	static __device__ inline bool rings(const Around &first, const Around &second, u32 back) {
		const u32 set = second.stones, beside = turned(1u << back, 1) | turned(1u << back, directions - 1);
		u32 i = 0;
		for (u32 firsts = set & ~turned(set, 1); firsts; firsts &= firsts - 1, i++) {
			const u32 from = __builtin_ctz(firsts), length = __builtin_ctz(~((set | set << directions) >> from));
			const u32 run = turned((1u << length) - 1, from);
			if (!(run & beside) && first.has(second.groups[i]))
				return true;
		}
		return false;
	}

	static __device__ inline void add_threat(u8 &threat) { threat = threat ? unit : unit / 2; }

	// count_threats sets the threats of a colour: half of a unit for one pair of cells on which
	// two stones complete a structure, and a unit for more. No stone alone completes one.
	__device__ inline void count_threats(u32 colour) const {
		constexpr u32 later[3] = {2, 3, 4}; // directions to cells with higher numbers
		const Around *const all = around[colour];
		u8 *const threat = threats[colour];
		u32 num_joiners = 0;
		for (u32 cell = 0; cell < board.cells; cell++) {
			if (stones[cell])
				continue;
			const Around a = all[cell];
			if (!a.border && !a.joins)
				continue;
			const Near near = {board.near[cell]};
			for (u32 i = 0; i < 3; i++) {
				const u32 next = near[later[i]];
				if (next < board.cells && !stones[next] && (ends(a.border | all[next].border) ||
						rings(a, all[next], later[i] < 3 ? later[i] + 3 : later[i] - 3))) {
					add_threat(threat[cell]);
					add_threat(threat[next]);
				}
			}
			if (a.joins < 2 && (a.joins == 0 || board.borders[cell] == 0))
				continue;
			for (u32 i = 0; i < num_joiners; i++) {
				const u32 before = joiners[i];
				const Around b = all[before];
				u32 shared = 0;
				for (u32 k = 0; k < a.joins; k++)
					shared += b.has(a.groups[k]);
				if (shared > 1 || (shared && ends(a.border | b.border))) {
					bool beside = false;
					for (u32 d = 0; d < directions; d++)
						beside |= near[d] == before;
					if (!beside) {
						add_threat(threat[cell]);
						add_threat(threat[before]);
					}
				}
			}
			joiners[num_joiners++] = cell;
		}
	}

	// describe writes the planes of the position under a symmetry, after look.
	__device__ inline void describe(words4 *to, const u16 *image, const Wins &mine, const Wins &theirs) const {
		for (u32 c = 0; c < 2; c++) {
			for (u32 cell = 0; cell < board.cells; cell++)
				threats[c][cell] = 0;
			if (!(c == turn ? mine : theirs).count)
				count_threats(c);
		}
		for (u32 cell = 0; cell < board.cells; cell++) {
			words4 x = board.still[cell];
			const auto set = [&](u32 plane, u32 value) { x[plane / 4] |= value << 8 * (plane % 4); };
			if (const u32 stone = stones[cell]) {
				const u32 theirs = stone == 1 + turn ? 0 : 1, border = borders[find(cell)];
				set(own + theirs, unit);
				set(own_edges + theirs, __builtin_popcount(border >> 6) * unit / 2);
				set(own_corner + theirs, border & 63 ? unit : 0);
			} else {
				set(empty, unit);
				set(own_wins, around[turn][cell].wins ? unit : 0);
				set(other_wins, around[turn ^ 1][cell].wins ? unit : 0);
				set(own_threat, threats[turn][cell]);
				set(other_threat, threats[turn ^ 1][cell]);
			}
			if (cell == last)
				set(last_stone, unit);
			to[image[cell]] = x;
		}
	}
};

} // namespace gumbel
