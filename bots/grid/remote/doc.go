// Package remote does the jobs of a grid on any number of machines, through NATS
// JetStream.
//
// There are three parties. An [Owner] has a run: it is a grid.Grid, publishes
// jobs and stores their results. A [Worker] does jobs. A NATS server is between
// them: one of the owner's own process ([Serve]) or any other.
//
//	server, err := remote.Serve(remote.ServerConfig{Listen: "127.0.0.1:4222"})
//	conn, err := server.Connect("owner")
//	g := &remote.Owner{Conn: conn, Version: "1.0"}
//	err = g.Run(ctx, jobs, done)
//
// and elsewhere
//
//	conn, err := remote.Link{URL: "nats://127.0.0.1:4222"}.Connect(ctx, "worker")
//	err = (&remote.Worker{Conn: conn, Kinds: kinds, Version: "1.0"}).Run(ctx)
//
// # Who answers for what
//
// Jobs wait in a stream with work-queue retention. Each message is acknowledged
// by the worker when the owner has said that the result is stored, and not
// before. Until then the worker keeps it alive; when the worker dies, JetStream
// gives it to another.
//
// The owner alone decides what is wanted. Before a worker starts a job it asks,
// and what is stored already, or being done by a worker that is alive, is not
// done again; a result that nobody waits for is thrown away. So whatever is
// delivered twice counts once, and results are the owner's by (run, shard).
//
// The server may be killed: both ends reconnect, and the owner publishes again
// what is open, with the message's old identity, so that JetStream drops what it
// still has. The owner may be killed: workers keep what they finished for a
// while, and an owner that starts the same run again takes it. Jobs of an owner
// that does not come back wait in the stream until it expires.
//
// # The wire
//
// All subjects begin with "gamebots". V is a tag of the program's version and R
// one of the run's name, 16 hexadecimal digits each.
//
//	gamebots.job.V.R.SHARD  a job, in the stream GAMEBOTS_JOBS; the durable consumer
//	                        work-V is all workers' of that version
//	gamebots.run.R          what workers ask the owner: see type ask
//	gamebots.stop.R         the owner wants no more of this run
//	gamebots.worker.V.ID    a worker's hello, every two seconds
//	gamebots.call           an owner begins, and wants hellos now
//	gamebots.told.ID        what an owner has to tell a worker
//
// A message has its parameters as JSON in the header "Gamebots", and bytes (a
// spec, a piece of a result) as its data. What is larger than a message goes in
// pieces, each asked for or acknowledged by the owner: nobody has to hold more
// than one of them for a slow partner.
//
// Versions do not mix, because the same job must give the same bytes: a worker
// is never sent jobs of another version, and both ends say so.
package remote
