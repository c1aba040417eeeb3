// Package serve answers over HTTP with the scores of trained models. [New] makes a [Server], an
// http.Handler, from model files. Server.Run serves a listener until its context ends and the
// requests in progress are answered.
//
//	POST /v1/models/NAME/score    the scores of rows, or of pairs of nodes
//	POST /v1/models/NAME/rank     the scores, and the order by falling score
//	POST /v1/models/NAME/explain  the parts of the scores
//	GET  /v1/models               the models and their facts; /v1/models/NAME has the features
//	POST /-/reload                reads the files again
//	GET  /healthz, /readyz        whether it runs, and takes requests
//	GET  /metrics                 numbers for Prometheus
//	GET  /openapi.json            all of this, as a description for programs
//	GET  /                        a page to paste candidates into
//
// docs/serving.md describes requests and answers. internal/jsonrows parses a body that is a matrix
// alone. Package model scores rows, to the bytes that the verb predict writes, and
// relation/pairmodel scores pairs. An error is a [Problem] that names the field.
//
// A model is one atomic pointer. A reload reads the file, verifies its checksum, scores its golden
// rows, and only then replaces the model. One model answers a request from beginning to end, and
// after a bad file the old model still serves.
//
// A body is read before its request waits for its turn: a slow client holds memory, which is
// bounded over all requests, and no processor.
//
// The routes are those of net/http: three verbs of one resource need no router, and a framework that
// describes the API from Go types took 1.8 times as long for a request. openapi.json is written by
// hand; a test compares it with every route and every field of bodies and answers.
//
// The package reads no flags and prints nothing; messages go to Options.Log.
package serve
