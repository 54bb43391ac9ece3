// Searches of many positions of Havannah by Gumbel, for a network on the same device. A warp has a
// search, and a block of its own: there are thousands of them. The lanes share the cells of the
// board and the moves of a node.
#include "tree.cuh"

using namespace gumbel;

// gumbel_search begins the searches that have a job, or takes the network's answers, and goes
// on in each search until it needs the next answer or is over. On side 10 a multiprocessor has shared
// memory for 22 blocks, and so the kernel registers for as many.
__global__ LAUNCH_BOUNDS(32, 22) void gumbel_search(const words4 *near, const words4 *still,
		const u16 *borders, const u16 *images, u32 cells, u32 *trees, const u32 *jobs, const u16 *moves, words4 *planes,
		const float *logits, const float *outputs, u32 *results, u16 *lines, float *policies, u32 pitch, u32 max_nodes,
		u32 max_edges, u32 nodes_per_evaluation, u32 forced, u32 begin) {
	DYNAMIC_SHARED(u8, memory);
	const Arguments a = {{near, still, borders, images, cells}, trees, jobs, moves, planes, logits, outputs, results,
		lines, policies, pitch, max_nodes, max_edges, nodes_per_evaluation, forced};
	const u32 number = block_in_grid();
	Search s(a, number, memory);
	const u32 *const job = jobs + number * job_words;
	if (begin && job[3]) {
		s.start(job);
		s.save();
	} else if (!begin && s.h.status == waiting) {
		s.evaluate();
		s.next();
		s.save();
	}
}
