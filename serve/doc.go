// Package serve answers over HTTP with what trained models score: [New] makes a [Server]
// of the files of models, which is an http.Handler, and Server.Run serves a listener until
// its context ends and the requests in work are answered.
//
//	POST /v1/models/NAME/score    the scores of rows, or of pairs of nodes
//	POST /v1/models/NAME/rank     the scores, and the order by falling score
//	POST /v1/models/NAME/explain  what the scores are made of
//	GET  /v1/models               the models and their facts; /v1/models/NAME has the features
//	POST /-/reload                reads the files again
//	GET  /healthz, /readyz        whether it runs, and takes requests
//	GET  /metrics                 numbers for Prometheus
//	GET  /openapi.json            all of this, as a description for programs
//	GET  /                        a page to paste candidates into
//
// docs/serving.md says what goes in and out. A body is read, and parsed by
// internal/jsonrows where it is a matrix alone; rows are scored by package model, to the
// bytes that the command's verb predict writes, and pairs by relation/pairmodel. An error
// is a [Problem] that names the field.
//
// A model is one atomic pointer. A reload reads the file, has its checksum verified, scores
// its golden rows, and only then puts it in place: a request is answered by one model from
// its beginning to its end, and a file that is wrong leaves the model that serves.
//
// Nothing here reads a flag or prints: what is told goes to the Options' Log.
package serve
