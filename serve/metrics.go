package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the numbers of a server, in a registry of its own.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	working  prometheus.Gauge
	scores   *prometheus.CounterVec
	shed     *prometheus.CounterVec
	reloads  *prometheus.CounterVec
	loaded   *prometheus.GaugeVec
	info     *prometheus.GaugeVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pairrank_http_requests_total", Help: "Requests answered, by route and status."}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "pairrank_http_request_seconds", Help: "Time from the header of a request to the end of its answer.",
			Buckets: []float64{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10}}, []string{"route"}),
		working: prometheus.NewGauge(prometheus.GaugeOpts{Name: "pairrank_http_requests_working", Help: "Requests in work."}),
		scores:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pairrank_scores_total", Help: "Rows, pairs and columns of given nodes scored, by model."}, []string{"model"}),
		shed:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pairrank_shed_total", Help: "Requests refused since there were too many, by reason."}, []string{"reason"}),
		reloads: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pairrank_reloads_total", Help: "Reads of the files of a model, by result: ok or error."}, []string{"model", "result"}),
		loaded:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "pairrank_model_loaded_timestamp_seconds", Help: "When the model that serves was read."}, []string{"model"}),
		info:    prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "pairrank_model_info", Help: "1 for the model that serves."}, []string{"model", "version", "learner"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.working, m.scores, m.shed, m.reloads, m.loaded, m.info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// handler writes the numbers as text.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// codes are the texts of the statuses.
var codes = func() (texts [600]string) {
	for k := range texts {
		texts[k] = strconv.Itoa(k)
	}
	return texts
}()

// observe counts an answered request.
func (m *metrics) observe(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, codes[min(max(status, 0), len(codes)-1)]).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// read counts a read of the files of a model.
func (m *metrics) read(h *hosted, err error) {
	name := h.source.Name
	if err != nil {
		m.reloads.WithLabelValues(name, "error").Inc()
		return
	}
	m.reloads.WithLabelValues(name, "ok").Inc()
	f := h.facts()
	m.loaded.WithLabelValues(name).Set(float64(f.Loaded.UnixMilli()) / 1000)
	m.info.DeletePartialMatch(prometheus.Labels{"model": name})
	m.info.WithLabelValues(name, f.Version, f.Learner).Set(1)
}
