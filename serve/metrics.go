package serve

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the numbers of a server, in a private registry. The library of Prometheus, rather than
// fifty lines that write its text, also knows memory, garbage collector and open files of the
// process on three systems, and the formats that scrapers ask for. It takes 1.5 of the 6.2 million
// instructions of each start of the command, whatever the verb, and 0.7 of 25.0 MB of the stripped program: its
// protocol buffers are those of Parquet, too.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	shed     *prometheus.CounterVec

	rows, missing, unknown, outside *prometheus.CounterVec // by model

	reloads *prometheus.CounterVec
	last    *prometheus.GaugeVec
	loaded  *prometheus.GaugeVec
	info    *prometheus.GaugeVec

	codes [600]string // the texts of the statuses
}

// seconds are the bounds of the times of requests that are counted.
var seconds = []float64{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10}

func newMetrics(b *budget) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "pairrank_http_request_duration_seconds",
			Help: "Time from the header of a request to the end of its answer.", Buckets: seconds,
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "pairrank_http_requests_in_flight",
			Help: "Requests in work."}),
	}
	for k := range m.codes {
		m.codes[k] = strconv.Itoa(k)
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
		m.registry.MustRegister(g)
		return g
	}
	value := func(name, help string, of func() int64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(of()) }))
	}
	m.requests = counter("pairrank_http_requests_total", "Requests answered, by route and status.", "route", "code")
	m.shed = counter("pairrank_http_requests_shed_total", "Requests refused since there were too many, by reason.",
		"reason")
	m.rows = counter("pairrank_rows_scored_total", "Rows, pairs and columns of given nodes that were scored.", "model")
	m.missing = counter("pairrank_features_missing_total", "Values of features that were missing and filled in.",
		"model")
	m.unknown = counter("pairrank_features_unknown_total",
		"Features left out, since they are unknown to the training.", "model")
	m.outside = counter("pairrank_features_out_of_range_total",
		"Values of features beyond all of training, of models normalised by minmax or zscore.", "model")
	m.reloads = counter("pairrank_model_reloads_total",
		"Reads of the files of a model, by result: ok, error, or changed for a model that takes other requests.",
		"model", "result")
	m.last = gauge("pairrank_model_last_reload_successful",
		"1 where the serving model is that of its files, 0 where the last read was refused.", "model")
	m.loaded = gauge("pairrank_model_loaded_timestamp_seconds",
		"When the serving model was read, in seconds since 1970.", "model")
	m.info = gauge("pairrank_model_info", "1 for the serving model.", "model", "version", "learner")
	value("pairrank_requests_held_bytes", "Memory that requests and their answers hold.", b.held.Load)
	value("pairrank_requests_held_limit_bytes", "Memory that requests and their answers may hold.",
		func() int64 { return b.most })
	m.registry.MustRegister(m.seconds, m.inFlight, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// handler writes the numbers as text.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// observe counts an answered request.
func (m *metrics) observe(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, m.codes[min(max(status, 0), len(m.codes)-1)]).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// scored counts the scores of a model.
func (m *metrics) scored(model string, rows int, s *seen) {
	m.rows.WithLabelValues(model).Add(float64(rows))
	if *s != (seen{}) {
		m.missing.WithLabelValues(model).Add(float64(s.missing))
		m.unknown.WithLabelValues(model).Add(float64(s.unknown))
		m.outside.WithLabelValues(model).Add(float64(s.outside))
	}
}

// read counts a read of the files of a model.
func (m *metrics) read(h *hosted, err error) {
	name := h.source.Name
	for _, c := range []*prometheus.CounterVec{m.rows, m.missing, m.unknown, m.outside} {
		c.WithLabelValues(name) // counts from 0 on
	}
	last, result := m.last.WithLabelValues(name), "ok"
	defer func() { m.reloads.WithLabelValues(name, result).Inc() }()
	if err != nil {
		var changed *shapeError
		if result = "error"; errors.As(err, &changed) {
			result = "changed"
		}
		last.Set(0)
		return
	}
	last.Set(1)
	f := h.facts()
	m.loaded.WithLabelValues(name).Set(float64(f.Loaded.UnixMilli()) / 1000)
	m.info.DeletePartialMatch(prometheus.Labels{"model": name})
	m.info.WithLabelValues(name, f.Version, f.Learner).Set(1)
}
