package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/service"
)

// status is the one table from kinds of error to HTTP, with what the client is told.
func (s *Server) status(err error) (int, string) {
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, catalog.ErrUnknown):
		return http.StatusNotFound, err.Error()
	case errors.Is(err, service.ErrNoID), errors.Is(err, service.ErrAmbiguous), errors.Is(err, service.ErrQuery):
		return http.StatusBadRequest, err.Error()
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge, tooLarge
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable, "This took longer than the server allows."
	case errors.Is(err, service.ErrClosed):
		return http.StatusServiceUnavailable, "The server is ending."
	}
	// What went wrong inside is the operator's: it may name files of this machine.
	s.log.Error("a request failed", "error", err)
	return http.StatusInternalServerError, "The server failed on this request; the fault is in its log."
}

// fault is an error as the API answers it.
func (s *Server) fault(err error) error {
	status, detail := s.status(err)
	return huma.NewError(status, detail)
}

// problem writes an answer of application/problem+json.
func problem(w http.ResponseWriter, status int, detail string) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A client that has gone away needs no answer.
	_ = json.NewEncoder(w).Encode(&huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail})
}
