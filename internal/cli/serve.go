package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/mcptools"
	"github.com/wherefore-dev/wherefore/internal/server"
	"github.com/wherefore-dev/wherefore/internal/service"
)

// defaultAddress is where serve listens: on this machine alone.
const defaultAddress = "127.0.0.1:7878"

// softLimit is the memory from which on the server collects what it dropped at once.
const softLimit = 200 << 20

func (a *app) serveCommand() *cobra.Command {
	var o server.Options
	var listen, cors string
	var requests bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the web site and the JSON API",
		Long: `Serve the web site, the JSON API and the measures for Prometheus. What is indexed while it serves is picked up.

Without --listen only this machine is served. Others are served over plain HTTP: put a proxy with TLS before it, and say --proxy.

WHEREFORE_READ_TOKEN, if it is set, has to be given with every request, as a bearer token or as the password of any user;
WHEREFORE_WRITE_TOKEN allows what writes. Tokens are never logged.`,
		Example: `  wherefore serve
  wherefore serve --listen :7878 --origin https://errors.example.org --proxy
  curl -H 'Content-Type: text/plain' --data-binary @report.txt http://127.0.0.1:7878/api/find`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOrigin(o.Origin); err != nil {
				return err
			}
			o.Version = version()
			o.ReadToken, o.WriteToken = os.Getenv("WHEREFORE_READ_TOKEN"), os.Getenv("WHEREFORE_WRITE_TOKEN")
			if cors != "" {
				o.CORS = strings.Split(cors, ",")
			}
			level := slog.LevelWarn
			if requests {
				level = slog.LevelInfo
			}
			o.Log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
			if !cmd.Flags().Changed("rate") && listen != defaultAddress {
				o.Rate = 20
			}
			return a.serve(cmd, listen, &o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&listen, "listen", defaultAddress, "address to listen on; anything but this machine has to be said aloud")
	flags.StringVar(&o.Origin, "origin", "", "scheme and host under which readers reach the site, for canonical links")
	flags.StringVar(&cors, "cors", "", "origins whose pages may read the API, with commas between them; * for all")
	flags.BoolVar(&o.Proxy, "proxy", false, "a proxy stands before the server: take the client's address from X-Forwarded-For")
	flags.Float64Var(&o.Rate, "rate", 0, "requests a second that one client may make; 0 for no limit (default 20 with --listen)")
	flags.IntVar(&o.Connections, "connections", 1024, "most open connections")
	flags.IntVar(&o.Concurrent, "concurrent", 64, "most requests that are worked on at once")
	flags.Int64Var(&o.MaxBody, "max-report", 1<<20, "largest report, in bytes")
	flags.BoolVar(&requests, "log-requests", false, "log every request, without what it asked")
	return cmd
}

// softMemory is from where on memory is collected more often, in bytes.
const softMemory = 280 << 20

func (a *app) serve(cmd *cobra.Command, listen string, o *server.Options) error {
	ctx := cmd.Context()
	debug.SetMemoryLimit(softMemory)
	// What is kept is bounded; what is dropped is collected before it adds up. A catalog that needs more gets it.
	debug.SetMemoryLimit(softLimit)
	s, err := service.Open(ctx, a.catalogFile(), service.Options{Languages: a.languages, Traces: all.Traces(), Sources: a.sources(),
		Log: func(err error) { o.Log.Warn("the catalog changed and its new state cannot be served", "error", err) }})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return errors.Join(fmt.Errorf("listen: %w", err), s.Close())
	}
	o.Hosts = localNames(l.Addr(), o.Origin)
	o.Mounts = map[string]http.Handler{"/mcp": mcptools.Handler(s, version())}
	srv, err := server.New(s, *o)
	if err != nil {
		return errors.Join(err, l.Close(), s.Close())
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "serving %s on http://%s (end with Ctrl-C)\n", a.catalogFile(), l.Addr())
	}
	return errors.Join(srv.Serve(ctx, l), s.Close())
}

// localNames are the names by which a server that listens on this machine alone may be called; nil for one that others reach, whose
// names are not known here.
func localNames(addr net.Addr, origin string) []string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil
	}
	names := []string{"localhost", "127.0.0.1", "::1", tcp.IP.String()}
	if u, err := url.Parse(origin); err == nil && u.Hostname() != "" {
		names = append(names, u.Hostname())
	}
	return names
}

func checkOrigin(origin string) error {
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--origin %s is no scheme with a host, like https://errors.example.org", clean(origin))
	}
	if strings.HasSuffix(origin, "/") {
		return fmt.Errorf("--origin %s: leave the slash at its end out", clean(origin))
	}
	return nil
}
