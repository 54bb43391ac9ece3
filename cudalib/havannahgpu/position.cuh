// A position of Havannah in the memory of a warp, with what two plies show of it: the same
// as the Candidates and the planes of solvers/hexsearch.
#pragma once

#include "lanes.cuh"

namespace gumbel {

constexpr u32 directions = 6, most_groups = 3, symmetries = 12;

// Planes of a cell, in units of 1/8: see solvers/hexsearch.
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

constexpr u32 no_cell = 0xffff;

struct Position {
	const Board board;
	Around *const around[2]; // by colour and empty cell, since look
	// The stones, and their groups: state_words words.
	u16 *const links;	// of a stone, one nearer to the root of its group
	u16 *const borders; // of a root, that of the group
	u8 *const stones;	// of a cell 0, or 1 + colour; also for the cell off the board

	u16 *const joiners;
	u8 *const threats[2]; // by colour and cell, since count_threats
	u32 turn, last, left; // the colour to move, the last stone, and the number of empty cells

	// There are 33 bytes of memory for a cell, and two more.
	__device__ Position(const Board &b, u8 *memory)
		: board(b), around{(Around *)memory, (Around *)memory + b.cells}, links((u16 *)(around[1] + b.cells)),
		  borders(links + b.cells), stones((u8 *)(borders + b.cells)), joiners((u16 *)stones + b.cells / 2 + 1),
		  threats{(u8 *)(joiners + b.cells), (u8 *)(joiners + b.cells) + b.cells} {}

	__device__ inline u32 *state() const { return (u32 *)links; }
	static __device__ inline u32 state_words(u32 cells) { return (5 * cells + 1 + 3) / 4; }

	__device__ inline void clear() {
		spread(board.cells + 1, [&](u32 i) { stones[i] = 0; });
		turn = 0, last = no_cell, left = board.cells;
	}

	__device__ inline u32 find(u32 cell) const {
		while (links[cell] != cell)
			cell = links[cell] = links[links[cell]];
		return cell;
	}

	// flatten links all stones to the roots of their groups.
	__device__ inline void flatten() const {
		for (u32 first = 0; first < board.cells; first += warp) {
			const u32 cell = first + lane();
			const bool stone = cell < board.cells && stones[cell];
			u32 root = cell;
			while (stone && links[root] != root)
				root = links[root];
			sync_warp();
			if (stone)
				links[cell] = root;
			sync_warp();
		}
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
		once([&] { put(cell); });
		turn ^= 1, last = cell, left--;
	}

	__device__ inline void put(u32 cell) const {
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
	}

	// view returns an empty cell as a colour sees it. The links are flat.
	__device__ inline Around view(u32 cell, u32 colour) const {
		const Near near = {board.near[cell]};
		const u32 set = own_stones(near, colour);
		Around a = {board.borders[cell], (u8)set, 0, 0, {}};
		for (u32 firsts = set & ~turned(set, 1); firsts; firsts &= firsts - 1) {
			const u32 group = links[near[__builtin_ctz(firsts)]];
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
		flatten();
		mine = theirs = {no_cell, no_cell, 0};
		for (u32 first = 0; first < board.cells; first += warp) {
			const u32 cell = first + lane();
			const bool empty = cell < board.cells && !stones[cell];
#pragma unroll
			for (u32 c = 0; c < 2; c++) {
				const bool wins = empty && (around[c][cell] = view(cell, c)).wins;
				if (const u32 all = ballot(wins)) {
					Wins &w = c == turn ? mine : theirs;
					w.first = w.count ? w.first : first + __builtin_ctz(all);
					w.last = first + warp - 1 - __builtin_clz(all), w.count += __builtin_popcount(all);
				}
			}
		}
		sync_warp();
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

	// closes reports whether stones on a cell and on its neighbour in a direction, both empty, complete a
	// structure.
	__device__ inline bool closes(const Around *all, u32 cell, u32 neighbour, u32 direction) const {
		return ends(all[cell].border | all[neighbour].border) ||
			rings(all[cell], all[neighbour], direction < 3 ? direction + 3 : direction - 3);
	}

	// joins reports whether stones on two cells, of which each touches some groups, complete a structure.
	static __device__ inline bool joins(const Around &a, const Around &b) {
		u32 shared = 0;
		for (u32 k = 0; k < a.joins; k++)
			shared += b.has(a.groups[k]);
		return shared > 1 || (shared && ends(a.border | b.border));
	}

	// count_threats sets the threats of a colour: half of a unit for one pair of cells on which
	// two stones complete a structure, and a unit for more. No stone alone completes one.
	__device__ inline void count_threats(u32 colour) const {
		const Around *const all = around[colour];
		u32 num_joiners = 0;
		for (u32 first = 0; first < board.cells; first += warp) {
			const u32 cell = first + lane();
			const bool joiner = cell < board.cells && !stones[cell] &&
				(all[cell].joins > 1 || (all[cell].joins && board.borders[cell]));
			const u32 lanes = ballot(joiner);
			if (joiner)
				joiners[num_joiners + __builtin_popcount(lower(lanes))] = cell;
			num_joiners += __builtin_popcount(lanes);
		}
		sync_warp();
		spread(board.cells, [&](u32 cell) {
			u32 count = 0;
			const Around a = all[cell];
			if (!stones[cell] && (a.border || a.joins)) {
				const Near near = {board.near[cell]};
				for (u32 d = 0; d < directions; d++)
					if (const u32 next = near[d]; next < board.cells && !stones[next])
						count += next > cell ? closes(all, cell, next, d)
							: closes(all, next, cell, d < 3 ? d + 3 : d - 3);
				if (a.joins > 1 || (a.joins && board.borders[cell]))
					for (u32 i = 0; i < num_joiners && count < 2; i++) {
						const u32 other = joiners[i];
						if (other != cell && joins(a, all[other])) {
							bool beside = false;
							for (u32 d = 0; d < directions; d++)
								beside |= near[d] == other;
							count += !beside;
						}
					}
			}
			threats[colour][cell] = count == 0 ? 0 : count == 1 ? unit / 2 : unit;
		});
	}

	// describe writes the planes of the position under a symmetry, after look.
	__device__ inline void describe(words4 *to, const u16 *image, const Wins &mine, const Wins &theirs) const {
		for (u32 c = 0; c < 2; c++) {
			if ((c == turn ? mine : theirs).count)
				spread(board.cells, [&](u32 cell) { threats[c][cell] = 0; });
			else
				count_threats(c);
			sync_warp();
		}
		spread(board.cells, [&](u32 cell) {
			words4 x = board.still[cell];
			const auto set = [&](u32 plane, u32 value) { x[plane / 4] |= value << 8 * (plane % 4); };
			if (const u32 stone = stones[cell]) {
				const u32 theirs = stone == 1 + turn ? 0 : 1, border = borders[links[cell]];
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
		});
	}
};

} // namespace gumbel
