// Package remote spreads the jobs of a grid over any number of machines, through NATS
// JetStream.
//
// There are three parties. An [Owner] is a grid.Grid: it publishes the jobs of a run
// and receives their results. A [Worker] does jobs. Both connect to a NATS server,
// which may be part of the owner's process ([Serve]) or any other.
//
//	server, err := remote.Serve(remote.ServerConfig{Listen: "127.0.0.1:4222"})
//	conn, err := server.Connect(remote.AsOwner)
//	g := &remote.Owner{Conn: conn, Version: version}
//	err = g.Run(ctx, jobs, done)
//
// and elsewhere
//
//	conn, err := remote.Link{URL: "nats://127.0.0.1:4222", Token: token}.Connect(ctx, remote.AsWorker)
//	err = (&remote.Worker{Conn: conn, Kinds: kinds, Version: version}).Run(ctx)
//
// # On the server
//
// V is a tag of the version, R one of the run's name, and HASH one of all that a job's
// result depends on, 16 hexadecimal digits each. A message has its parameters as JSON in
// the header "Gamebots".
//
//	GAMEBOTS_JOBS     work-queue stream of gamebots.job.V.R.SHARD.HASH; the consumer work-V
//	                  is all workers' of that version
//	GAMEBOTS_RESULTS  work-queue stream of gamebots.result.R.SHARD.HASH; the consumer
//	                  run-R is the owner's
//	GAMEBOTS_PARTS    object store of what jobs have in common, and of large specs
//	GAMEBOTS_LARGE    object store of large results, with names that begin with R
//	GAMEBOTS_RUNS     key-value leases of owners: only one has a run
//	GAMEBOTS_WORKERS  key-value leases of workers, with the jobs that they do
//	gamebots.stop.R   the owner has ended the run
//	gamebots.told.ID  an owner's message to a worker, for its log
//
// A worker acknowledges a job when the server has its outcome, and the owner an outcome
// when the result is stored. What is not acknowledged is delivered again, and message IDs
// and the owner's table of open jobs have it count once. If a worker dies, JetStream gives
// its job to another, which tells that it begins it; after a few such workers the job is given up.
//
// Whatever else is lost with a server or an owner is found by one comparison: an open job
// that is in neither stream and in no worker's lease is published again. An owner that
// starts the same run again takes over the jobs and results of the one before it.
//
// # Trust
//
// A server admits clients with one of two [Tokens]. Owners may use all its subjects, workers those that this protocol
// needs. [MakeKeys] draws the tokens, and makes the certificates without which no server listens for other machines,
// and no [Link] goes there.
//
// Workers may use what [Serve] permits, owners everything. Sizes that the other side
// claims are limited.
//
// # Versions
//
// Versions do not mix, because the same job must give the same bytes: a worker gets no
// jobs of another version, and both ends log that.
package remote
