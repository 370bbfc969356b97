package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/match"
)

func (a *app) annotateCommand() *cobra.Command {
	var o annotateOptions
	cmd := &cobra.Command{
		Use:   "annotate [FILE]",
		Short: "Copy a log and name the site at each line that an error printed",
		Long: `Copy a log from FILE or standard input to standard output. A line that one site certainly printed gains the id of the error and the
place: "  ← ID path:line". All other bytes stay as they are. The stream may be of any size; on a pipe, every line is passed on as
soon as it is there.

At the end, or on an interrupt, standard error says which errors occurred, how often, and where first and last.

With --json, one JSON object is printed for each line: {"line": 7, "text": "…", "site": {…}}; a line without a known error has no site.`,
		Example: `  tail -f service.log | wherefore annotate
  kubectl logs -f deploy/api | wherefore annotate --only-errors`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := a.stdin
			switch {
			case len(args) == 1 && args[0] != "-":
				file, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			case len(args) == 0 && isTerminal(a.stdin):
				return errors.New("nothing to annotate: give a file, or pipe a log to standard input")
			}
			f, err := a.openFinder(cmd.Context())
			if err != nil {
				return err
			}
			defer f.close()
			if err := f.knows(cmd.Context(), o.Options); err != nil {
				return err
			}
			debug.SetGCPercent(200) // short-lived texts, beside an index that stays
			return a.annotate(cmd.Context(), f.finder, in, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Repo, "repo", "", "only this repository")
	flags.StringVar(&o.Revision, "rev", "", "only this indexed revision")
	flags.BoolVar(&o.onlyErrors, "only-errors", false, "leave out the lines without a known error")
	flags.BoolVar(&o.json, "json", false, "print one JSON object a line")
	return cmd
}

type annotateOptions struct {
	match.Options
	onlyErrors, json bool
}

// maxLogLine is how many bytes of a line are looked at; what follows is copied.
const maxLogLine = 64 << 10

// annotator copies a log. Its lock is held while a line is worked on, and not while the next one is waited for, so that an
// interrupt can end the work between two lines.
type annotator struct {
	sync.Mutex
	annotateOptions
	log     *match.Log
	in      *bufio.Reader
	out     *bufio.Writer
	style   *printer
	encoder *json.Encoder
	summary summary
	line    int64
	ended   bool
}

// annotate copies in to standard output, and says at the end what occurred.
func (a *app) annotate(ctx context.Context, finder *match.Finder, in io.Reader, o annotateOptions) error {
	w := &annotator{annotateOptions: o, log: finder.NewLog(), in: bufio.NewReaderSize(in, maxLogLine), out: bufio.NewWriterSize(a.stdout, maxLogLine), style: newPrinter(a.stdout)}
	w.encoder = json.NewEncoder(w.out)
	w.encoder.SetEscapeHTML(false)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("internal error at line %d: %v", w.line, r)
			}
		}()
		done <- w.copy(context.WithoutCancel(ctx))
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		w.Lock() // held for good: the copy, which waits for input, must not write any more
		err = w.out.Flush()
		w.ended = true
		w.Unlock()
	}
	if !a.quiet {
		w.summary.print(newPrinter(a.stderr), w.line)
	}
	return err
}

// copy works line by line until the input ends.
func (w *annotator) copy(ctx context.Context) error {
	for {
		head, err := w.in.ReadSlice('\n')
		w.Lock()
		if w.ended {
			w.Unlock()
			return nil
		}
		long := errors.Is(err, bufio.ErrBufferFull)
		if len(head) > 0 {
			err = errors.Join(w.one(ctx, head, long), fatal(err))
		}
		w.Unlock()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return errors.Join(err, w.out.Flush())
		}
	}
}

// fatal is nil for what ReadSlice says of a line that is longer than its buffer.
func fatal(err error) error {
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil
	}
	return err
}

// one writes a line whose first part is head; long says that more of it is to be read.
func (w *annotator) one(ctx context.Context, head []byte, long bool) error {
	w.line++
	body, end := cutEnd(head)
	text := string(body)
	found, err := w.log.Line(ctx, text, w.Options)
	if err != nil {
		return err
	}
	if found != nil {
		w.summary.add(found, w.line, text)
	}
	skip := w.onlyErrors && found == nil
	switch {
	case w.json:
		if !skip {
			if err := w.encode(found, text, long); err != nil {
				return err
			}
		}
		skip = true
	case !skip:
		if _, err := w.out.Write(body); err != nil {
			return err
		}
	}
	if long {
		if end, err = w.rest(end, skip); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if !skip {
		if found != nil {
			c := &found.Candidates[0]
			w.out.WriteString(w.style.in(cyan, "  ← "+c.Error+" "+clean(c.Path)+":"+strconv.Itoa(c.Line)))
		}
		if _, err := w.out.Write(end); err != nil {
			return err
		}
	}
	if w.in.Buffered() == 0 {
		return w.out.Flush()
	}
	return nil
}

// rest copies what remains of a long line, and returns its end.
func (w *annotator) rest(end []byte, skip bool) ([]byte, error) {
	held := bytes.Clone(end) // a carriage return that was the last byte read is no end yet
	for {
		part, err := w.in.ReadSlice('\n')
		body, end := cutEnd(part)
		end = bytes.Clone(end)
		if !skip && len(body) > 0 {
			if _, err := w.out.Write(append(held, body...)); err != nil {
				return nil, err
			}
			held = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return append(held, end...), err
		}
		held = end
	}
}

// cutEnd splits what ends a line off it.
func cutEnd(line []byte) (body, end []byte) {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n], line[n:]
}

// annotated is a line in JSON.
type annotated struct {
	Line int64          `json:"line"`
	Text string         `json:"text"`
	Cut  bool           `json:"cut,omitempty"` // the line is longer than text
	Site *api.Candidate `json:"site,omitempty"`
}

func (w *annotator) encode(found *api.Observation, text string, long bool) error {
	line := annotated{Line: w.line, Text: text, Cut: long}
	if found != nil {
		line.Site = &found.Candidates[0]
	}
	return w.encoder.Encode(line)
}
