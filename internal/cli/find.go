package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/match"
)

func (a *app) findCommand() *cobra.Command {
	var o match.Options
	var batch, asJSON bool
	cmd := &cobra.Command{
		Use:   "find [TEXT | -]",
		Short: "Find the line that raised a message, traceback or log",
		Long: `Find the sites that can have printed a message, with their probability, the values in the message, and which part of the
condition held. TEXT is anything that was printed: a bare message, a traceback, a log. '-' or a pipe reads it from standard input.

With --batch, standard input holds JSON lines {"id": …, "text": …, "repo": …?}, and one answer is printed for each.

Exit status 1 says that nothing was found.`,
		Example: `  wherefore find "unexpected length 15; expected 8"
  go test ./... 2>&1 | wherefore find -
  wherefore find --batch --json < messages.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.openFinder(cmd.Context())
			if err != nil {
				return err
			}
			defer f.close()
			if err := f.knows(cmd.Context(), o); err != nil {
				return err
			}
			if batch {
				return a.batch(cmd.Context(), f, o)
			}
			text, err := a.report(args)
			if err != nil {
				return err
			}
			answer, err := f.find(cmd.Context(), text, o)
			if err != nil {
				return err
			}
			if asJSON {
				err = printLines(a, []*api.Answer{answer})
			} else {
				err = a.printAnswer(cmd.Context(), f, answer)
			}
			if err == nil && !anyFound(answer) {
				return errNothing
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Repo, "repo", "", "only this repository")
	flags.StringVar(&o.Revision, "rev", "", "only this indexed revision")
	flags.IntVar(&o.Limit, "limit", 10, "most candidates of an error")
	flags.BoolVar(&batch, "batch", false, "read JSON lines, print an answer for each")
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// finding is an open catalog with a finder of its state.
type finding struct {
	catalog *catalog.Catalog
	index   *match.Index
	finder  *match.Finder
	explain *explain.Explainer
	asked   map[[2]string]error // what knows said of a repository and a revision
}

func (a *app) openFinder(ctx context.Context) (*finding, error) {
	c, err := catalog.OpenRead(ctx, a.catalogFile())
	if err != nil {
		return nil, err
	}
	x, err := index.OpenMatch(ctx, c)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &finding{c, x, match.NewFinder(c, x, a.languages, all.Traces()), a.explainer(c), map[[2]string]error{}}, nil
}

// find answers a report, with what the source says of it.
func (f *finding) find(ctx context.Context, text string, o match.Options) (*api.Answer, error) {
	answer, err := f.finder.Find(ctx, text, o)
	if err == nil {
		f.explain.Complete(ctx, answer)
	}
	return answer, err
}

func (f *finding) close() {
	// Nothing is written: a fault on closing changes no answer.
	_ = f.index.Close()
	_ = f.catalog.Close()
}

// knows says what there is, where the options name a repository or a revision that there is not.
func (f *finding) knows(ctx context.Context, o match.Options) error {
	if o.Repo == "" && o.Revision == "" {
		return nil
	}
	key := [2]string{o.Repo, o.Revision}
	err, asked := f.asked[key]
	if !asked {
		_, err = choose(ctx, f.catalog, o.Repo, o.Revision)
		f.asked[key] = err
	}
	return err
}

// report is the text to look up: the arguments, or standard input.
func (a *app) report(args []string) (string, error) {
	if len(args) == 1 && args[0] == "-" || len(args) == 0 {
		if len(args) == 0 && isTerminal(a.stdin) {
			return "", errors.New("nothing to look up: give a text, or '-' to read it from standard input")
		}
		text, err := io.ReadAll(io.LimitReader(a.stdin, 64<<20))
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		if strings.TrimSpace(string(text)) == "" {
			return "", errors.New("nothing to look up: standard input is empty")
		}
		return string(text), nil
	}
	text := strings.Join(args, " ")
	if strings.TrimSpace(text) == "" {
		return "", errors.New("nothing to look up: the text is empty")
	}
	return text, nil
}

func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func anyFound(a *api.Answer) bool {
	return slices.ContainsFunc(a.Observations, func(o api.Observation) bool { return o.Decision != api.Refused })
}

// batchLine is one question of a batch.
type batchLine struct {
	ID   any    `json:"id"`
	Text string `json:"text"`
	Repo string `json:"repo"`
	Rev  string `json:"rev"`
}

// batch answers JSON lines. A line that cannot be read is answered with its error; the others go on.
func (a *app) batch(ctx context.Context, f *finding, o match.Options) error {
	in := bufio.NewReaderSize(a.stdin, 1<<20)
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			answer := a.one(ctx, f, o, line)
			if err := encoder.Encode(answer); err != nil {
				return err
			}
			if in.Buffered() == 0 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (a *app) one(ctx context.Context, f *finding, o match.Options, line []byte) *api.Answer {
	var q batchLine
	if err := json.Unmarshal(line, &q); err != nil {
		return &api.Answer{Observations: []api.Observation{}, Error: "not a JSON object with id and text: " + err.Error()}
	}
	if q.Repo != "" {
		o.Repo = q.Repo
	}
	if q.Rev != "" {
		o.Revision = q.Rev
	}
	err := f.knows(ctx, o)
	var answer *api.Answer
	if err == nil {
		answer, err = f.find(ctx, q.Text, o)
	}
	if err != nil {
		answer = &api.Answer{Observations: []api.Observation{}, Error: err.Error()}
	}
	answer.ID = q.ID
	return answer
}
