package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/wherefore-dev/wherefore/internal/lru"
)

// reply is an answer that was written whole, with its compressed forms as they are asked for.
type reply struct {
	status     int
	header     http.Header // what the handler set
	body       []byte
	etag       string
	mu         sync.Mutex
	compressed map[string][]byte
}

// replies remembers answers to GET requests of one state of the catalog.
type replies struct {
	kept    *lru.Cache[*reply]
	gzips   sync.Pool
	encoder *zstd.Encoder
}

func newReplies(bound int) *replies {
	// Without a writer, options and memory cannot fail.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err)
	}
	return &replies{kept: lru.New[*reply](bound), encoder: encoder,
		gzips: sync.Pool{New: func() any { return gzip.NewWriter(nil) }}}
}

// recorder takes an answer down.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

// maxKey bounds the addresses whose answers are remembered: long ones hold reports that nobody asks for again.
const maxKey = 512

// remember runs a request against what is remembered, or takes the answer down. Mounted handlers write for themselves: they may stream.
func (s *Server) remember(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.mounted(mux, r) {
			mux.ServeHTTP(w, r)
			return
		}
		generation := s.service.Generation()
		key := generation + " " + r.Host + r.URL.RequestURI()
		keep := (r.Method == http.MethodGet || r.Method == http.MethodHead) && len(key) <= maxKey
		if keep {
			if one, ok := s.replies.kept.Get(key); ok {
				s.send(w, r, one)
				return
			}
		}
		rec := &recorder{header: http.Header{}}
		get := r
		if r.Method == http.MethodHead {
			get = r.Clone(r.Context())
			get.Method = http.MethodGet
		}
		mux.ServeHTTP(rec, get)
		rec.WriteHeader(http.StatusOK)
		one := &reply{status: rec.status, header: rec.header, body: rec.body.Bytes()}
		if one.status == http.StatusOK && r.Method != http.MethodPost {
			sum := sha256.Sum256(one.body)
			one.etag = hex.EncodeToString(sum[:12])
		}
		if keep && one.etag != "" && one.header.Get("Cache-Control") != noStore && s.service.Generation() == generation {
			s.replies.kept.Put(key, one, 2*len(one.body)+1024)
		}
		s.send(w, r, one)
	})
}

// noStore keeps an answer from being remembered, here and elsewhere: it holds what the reader pasted.
const noStore = "no-store"

// mounted reports whether the handler of another answers a request.
func (s *Server) mounted(mux *http.ServeMux, r *http.Request) bool {
	if len(s.options.Mounts) == 0 {
		return false
	}
	_, pattern := mux.Handler(r)
	return s.options.Mounts[pattern] != nil
}

// send writes an answer in the form that the client takes, or says that it has it already.
func (s *Server) send(w http.ResponseWriter, r *http.Request, one *reply) {
	h := w.Header()
	for name, values := range one.header {
		if name == "Vary" {
			h["Vary"] = append(h["Vary"], values...)
			continue
		}
		h[name] = values
	}
	encoding := ""
	if len(one.body) > 1024 {
		h.Add("Vary", "Accept-Encoding")
		encoding = accepted(r.Header.Get("Accept-Encoding"))
	}
	if one.etag != "" {
		tag := `"` + one.etag + encoding + `"`
		h.Set("ETag", tag)
		if h.Get("Cache-Control") == "" {
			h.Set("Cache-Control", "no-cache")
		}
		if s.options.ReadToken != "" {
			h.Set("Cache-Control", "private, "+h.Get("Cache-Control"))
		}
		if has(r.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := one.body
	if encoding != "" {
		body = s.replies.compress(one, encoding)
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(one.status)
	if r.Method != http.MethodHead {
		// A client that has gone away needs no answer.
		_, _ = w.Write(body)
	}
}

// compress returns the compressed form, which is made once.
func (p *replies) compress(one *reply, encoding string) []byte {
	one.mu.Lock()
	defer one.mu.Unlock()
	if b := one.compressed[encoding]; b != nil {
		return b
	}
	var out []byte
	if encoding == "zstd" {
		out = p.encoder.EncodeAll(one.body, nil)
	} else {
		var b bytes.Buffer
		z := p.gzips.Get().(*gzip.Writer)
		z.Reset(&b)
		// Writing to memory does not fail.
		_, _ = z.Write(one.body)
		_ = z.Close()
		p.gzips.Put(z)
		out = b.Bytes()
	}
	if one.compressed == nil {
		one.compressed = map[string][]byte{}
	}
	one.compressed[encoding] = out
	return out
}

// accepted chooses zstd or gzip, as far as the client takes them.
func accepted(header string) string {
	best := ""
	for _, part := range strings.Split(header, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if q, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q="); ok && strings.Trim(q, "0.") == "" {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "zstd":
			return "zstd"
		case "gzip":
			best = "gzip"
		}
	}
	return best
}

// has reports whether a list of tags holds one, or is "*". Weak tags count as well: the answer is the same.
func has(list, tag string) bool {
	for _, t := range strings.Split(list, ",") {
		t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
		if t == tag || t == "*" {
			return true
		}
	}
	return false
}
