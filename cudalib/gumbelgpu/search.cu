// Searches of many positions of Havannah by Gumbel, for a network on the same device. A thread
// has a search: there are thousands of them. It has a block of its own, because threads of one
// warp that go different ways wait for each other, and there is no memory for more threads than
// a multiprocessor has warps.
#include "tree.cuh"

using namespace gumbel;

// gumbel_search begins the searches that have a job, or takes the network's answers, and goes
// on in each search until it needs the next answer or is over. It has few enough registers for 32
// blocks, which are all that a multiprocessor takes.
__global__ LAUNCH_BOUNDS(1, 32) void gumbel_search(const words4 *near, const words4 *still,
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
	} else if (!begin && s.h.status == waiting) {
		s.evaluate();
		s.next();
	}
}
