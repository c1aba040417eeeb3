package pipeline

import "github.com/apache/beam/sdks/v2/go/pkg/beam"

// outputs counts the files that workers have written.
var outputs = beam.NewCounter("pairrank", "outputs")

// Outputs returns the number of files that the workers of a job have written. Beam reports a
// cancelled job as a success; this number distinguishes them.
//
// A runner without metrics, such as one that only prints the job, has written none.
func Outputs(result beam.PipelineResult) int64 {
	if result == nil {
		return 0
	}
	found := result.Metrics().Query(func(r beam.MetricResult) bool {
		return r.Namespace() == "pairrank" && r.Name() == "outputs"
	})
	n := int64(0)
	for _, c := range found.Counters() {
		n += c.Result()
	}
	return n
}
