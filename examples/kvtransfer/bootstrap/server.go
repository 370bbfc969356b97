package bootstrap

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of a request body.
const (
	maxRegistration = 64 << 10 // bytes
	maxRoomsBody    = 8 << 20
)

// Server answers for one prefill engine. It is an http.Handler and safe for concurrent use.
type Server struct {
	registry registry
	mux      *http.ServeMux
}

// NewServer returns a server that nobody has registered with. A nil now takes time.Now.
func NewServer(now func() time.Time) *Server {
	if now == nil {
		now = time.Now
	}
	s := &Server{mux: http.NewServeMux()}
	s.registry = registry{now: now, ranks: make(map[RankKey]RankInfo), rooms: make(map[room.ID]noted)}
	// The mux answers 405 by itself where a path is known and the method is not.
	s.mux.HandleFunc("PUT /route", s.putRoute)
	s.mux.HandleFunc("GET /route", s.getRoute)
	s.mux.HandleFunc("POST /register_dp_rank", s.registerRank)
	s.mux.HandleFunc("POST /query_dp_ranks", s.queryRanks)
	s.mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { ok(w) })
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Workers is how many distinct ranks have registered.
func (s *Server) Workers() int {
	s.registry.mu.Lock()
	defer s.registry.mu.Unlock()
	return len(s.registry.ranks)
}

func (s *Server) putRoute(w http.ResponseWriter, r *http.Request) {
	var reg Registration
	err := body(w, r, maxRegistration, &reg)
	if err == nil {
		err = s.registry.register(&reg)
	}
	if err != nil {
		fail(w, err)
		return
	}
	ok(w)
}

func (s *Server) getRoute(w http.ResponseWriter, r *http.Request) {
	k, err := rankQuery(r.URL.Query())
	if err != nil {
		fail(w, err)
		return
	}
	var v any
	if k == (RankKey{-1, -1, -1, -1}) {
		v, err = s.registry.info()
	} else {
		v, err = s.registry.rank(k)
	}
	answer(w, v, err)
}

// rankQuery reads the four ranks of GET /route.
func rankQuery(q url.Values) (RankKey, error) {
	var n [4]int
	for i, name := range []string{"prefill_dp_rank", "prefill_cp_rank", "target_tp_rank", "target_pp_rank"} {
		v, err := strconv.Atoi(q.Get(name))
		if err != nil {
			return RankKey{}, &MissingInputsError{}
		}
		n[i] = v
	}
	return RankKey{DP: n[0], CP: n[1], TP: n[2], PP: n[3]}, nil
}

func (s *Server) registerRank(w http.ResponseWriter, r *http.Request) {
	var n RoomRank
	err := body(w, r, maxRegistration, &n)
	if err == nil {
		err = s.registry.note(n)
	}
	if err != nil {
		fail(w, err)
		return
	}
	ok(w)
}

func (s *Server) queryRanks(w http.ResponseWriter, r *http.Request) {
	var list RoomList
	if err := body(w, r, maxRoomsBody, &list); err != nil {
		fail(w, err)
		return
	}
	found, err := s.registry.query(list.BootstrapRooms)
	answer(w, found, err)
}

// body reads a JSON request body of bounded size. The error is a *PayloadError.
func body(w http.ResponseWriter, r *http.Request, limit int64, into any) error {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit)).Decode(into); err != nil {
		return &PayloadError{Route: r.URL.Path, Cause: err}
	}
	return nil
}

// status is the HTTP status of an error: the one table from kinds of error to the outside.
func status(err error) int {
	var (
		missing *RankNotFoundError
		partial *NotRegisteredError
		shape   *ShapeError
	)
	switch {
	case errors.As(err, &missing):
		return http.StatusNotFound
	case errors.As(err, &partial):
		return http.StatusServiceUnavailable
	case errors.As(err, &shape):
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

// fail answers with an error's status and text.
func fail(w http.ResponseWriter, err error) { http.Error(w, err.Error(), status(err)) }

// answer sends v as JSON, or the error.
func answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // an error means that the client has left; it needs no answer then
}

// ok answers as SGLang does: the word OK.
func ok(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("OK"))
}
