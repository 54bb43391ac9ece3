// Package remote spreads the jobs of a grid over any number of machines, through NATS
// JetStream.
//
// There are three parties. An [Owner] is a grid.Grid: it publishes the jobs of a run
// and receives their results. A [Worker] does jobs. Both connect to a NATS server,
// which may be part of the owner's process ([Serve]) or any other. [Open] sets up an
// owner with all that it needs.
//
//	server, err := remote.Serve(remote.ServerConfig{Listen: "127.0.0.1:4222"})
//	conn, err := server.Connect(remote.AsOwner)
//	g := &remote.Owner{Conn: conn, Version: "1.0"}
//	err = g.Run(ctx, jobs, done)
//
// and elsewhere
//
//	conn, err := remote.Link{URL: "nats://127.0.0.1:4222", Token: token}.Connect(ctx, remote.AsWorker)
//	err = (&remote.Worker{Conn: conn, Kinds: kinds, Version: "1.0"}).Run(ctx)
//
// # Delivery
//
// Jobs wait in a stream with work-queue retention. A worker acknowledges a message
// after the owner has confirmed that the result is stored. Until then it keeps the
// message alive; if the worker dies, JetStream delivers the message to another.
//
// Only the owner decides which jobs are wanted. A worker asks before it starts a job.
// A job that is stored, or in progress at a live worker, is not done again, and an
// unwanted result is discarded. So a job that is delivered twice counts once, by run
// and shard.
//
// The server may be killed: both ends reconnect, and the owner publishes all open jobs
// again with their message IDs, so that JetStream drops those that it still has. The
// owner may be killed: workers keep finished results for a while, and an owner that
// starts the same run again receives them. Jobs of an owner that does not come back
// wait in the stream until they expire.
//
// # The wire
//
// All subjects begin with "gamebots". V is a tag of the program's version and R
// one of the run's name, 16 hexadecimal digits each.
//
//	gamebots.job.V.R.SHARD  a job, in the stream GAMEBOTS_JOBS; the durable consumer
//	                        work-V is all workers' of that version
//	gamebots.run.R          workers' requests to the owner: see type ask
//	gamebots.stop.R         the owner has ended the run
//	gamebots.worker.V.ID    a worker's hello, every two seconds
//	gamebots.call           an owner begins, and asks for hellos now
//	gamebots.told.ID        an owner's message to a worker, for its log
//
// A message has its parameters as JSON in the header "Gamebots", and bytes (a spec, a
// piece of a result) as its data. Larger data goes in pieces. Each piece is requested
// or acknowledged by the owner, so that neither side buffers more than one for a slow
// partner.
//
// # Trust
//
// A server has two [Tokens]. A worker's may publish requests, hellos, and what JetStream
// needs for the consumer; it may subscribe to stops, calls, its messages and the inbox
// _INBOX_WORKER. An owner's may use every subject. Sizes that the other side claims are
// limited.
//
// # Versions
//
// Versions do not mix, because the same job must give the same bytes: a worker gets no
// jobs of another version, and both ends log that.
package remote
