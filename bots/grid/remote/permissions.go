package remote

import "github.com/nats-io/nats-server/v2/server"

// workerPermissions returns the subjects that a worker needs: the consumer of its jobs, parts of jobs, results and its
// lease. It cannot publish jobs, stop runs, read results, or change streams.
func workerPermissions() *server.Permissions {
	const api, parts, large = "$JS.API.", "OBJ_" + partBucket, largeStream
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			resultPrefix + "*.*.*", "$O." + largeBucket + ".>", "$KV." + workersBucket + ".*",
			api + "STREAM.INFO.KV_" + workersBucket,
			api + "CONSUMER.INFO." + jobStream + ".*", api + "CONSUMER.MSG.NEXT." + jobStream + ".*",
			"$JS.ACK." + jobStream + ".>",
			api + "STREAM.INFO." + parts, api + "DIRECT.GET." + parts + ".>", api + "CONSUMER.CREATE." + parts + ".>",
			api + "CONSUMER.DELETE." + parts + ".*", "$JS.FC." + parts + ".>",
			// Before it writes an object, JetStream asks whether there is one of the name.
			api + "STREAM.INFO." + large, api + "DIRECT.GET." + large + ".$O." + largeBucket + ".M.*",
			// It removes what it could not report, and the pieces of an object that has no room.
			api + "STREAM.PURGE." + large,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{toldPrefix + "*", stopPrefix + "*", workerInbox + ".>"}},
	}
}
