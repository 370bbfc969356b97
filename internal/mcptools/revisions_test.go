package mcptools

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Clients of the newest revision of the protocol and of the two before it are answered, each in its own, over both transports.
func TestRevisions(t *testing.T) {
	web := httptest.NewServer(Handler(fixed{found()}, "1"))
	t.Cleanup(web.Close)
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		near, far := mcp.NewInMemoryTransports()
		go Serve(t.Context(), fixed{found()}, "1", far)
		for name, transport := range map[string]mcp.Transport{
			"pipe": near,
			"HTTP": &mcp.StreamableClientTransport{Endpoint: web.URL, MaxRetries: -1},
		} {
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatalf("%s over %s: %v", revision, name, err)
			}
			if got := s.InitializeResult().ProtocolVersion; got != revision {
				t.Errorf("%s over %s: the server speaks %s", revision, name, got)
			}
			if text, isError := call(t, s, "find_error", map[string]any{"report": "no room for 9"}); isError || !strings.Contains(text, "pool.py:3") {
				t.Errorf("%s over %s: %v %s", revision, name, isError, text)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s over %s: %v", revision, name, err)
			}
		}
	}
}
