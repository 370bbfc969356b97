package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/service"
)

// metrics are what /metrics tells.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	found    *prometheus.CounterVec
}

func newMetrics(s *service.Service) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "wherefore_http_requests_total", Help: "Requests by route, method and status."}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "wherefore_http_request_seconds", Help: "Time to answer, by route.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "wherefore_http_requests_in_flight", Help: "Requests that are worked on."}),
		found:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "wherefore_observations_total", Help: "Errors in reports, by what was decided."}, []string{"decision"}),
	}
	sites := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wherefore_catalog_sites", Help: "Sites of the newest revisions of all repositories."}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		repos, err := s.Repos(ctx)
		if err != nil {
			return -1
		}
		n := 0
		for i := range repos {
			n += repos[i].Sites
		}
		return float64(n)
	})
	generation := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "wherefore_catalog_generation", Help: "State of the catalog that is served."}, func() float64 {
		n, err := strconv.ParseFloat(s.Generation(), 64)
		if err != nil {
			return -1
		}
		return n
	})
	m.registry.MustRegister(m.requests, m.duration, m.inFlight, m.found, sites, generation, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// answered counts the decisions of an answer.
func (m *metrics) answered(a *api.Answer) {
	for i := range a.Observations {
		m.found.WithLabelValues(a.Observations[i].Decision).Inc()
	}
}

// statusWriter remembers the status for the measures.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets mounted handlers flush.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// methodOf is the method as it is counted: anybody may send any.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodDelete:
		return r.Method
	}
	return "other"
}

// measured counts and times requests by route. Neither query strings nor headers are looked at: they hold reports and tokens.
func (s *Server) measured(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, route := mux.Handler(r)
		if route == "" {
			route = "none"
		}
		begin := time.Now()
		s.metrics.inFlight.Inc()
		out := &statusWriter{ResponseWriter: w}
		defer func() {
			s.metrics.inFlight.Dec()
			method := methodOf(r)
			status := orElse(out.status, http.StatusOK)
			took := time.Since(begin)
			s.metrics.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
			s.metrics.duration.WithLabelValues(route).Observe(took.Seconds())
			s.log.Info("request", "method", method, "path", r.URL.Path, "status", status, "took", took)
		}()
		next.ServeHTTP(out, r)
	})
}
