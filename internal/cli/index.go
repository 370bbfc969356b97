package cli

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/notes"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// indexFlags are the flags of index.
type indexFlags struct {
	revs        []string
	tags        string
	name        string
	workers     int
	maxFileSize string
	wait        time.Duration
	noVendored  bool
	noGenerated bool
}

func (a *app) indexCommand() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "index PATH|URL",
		Short: "Read a repository into the catalog",
		Long: `Read a repository into the catalog: a git work tree, a bare repository, a URL (https, http, ssh or file), or a plain folder.
Without --rev a work tree is read as it is, uncommitted changes included. What was read before is not read again. Vendored, generated,
minified, test and example files are read as what they are and ranked last, unless they are left out.

Nothing of the repository is built or run.`,
		Example: `  wherefore index .
  wherefore index https://example.org/owner/name.git
  wherefore index ../project --rev v1.2 --rev v1.3
  wherefore index ../project --tags 'v1.*'`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.index(cmd.Context(), args[0], &f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.revs, "rev", nil, "revision to index; may be given several times")
	flags.StringVar(&f.tags, "tags", "", "index every tag that fits this pattern")
	flags.StringVar(&f.name, "name", "", "name of the repository in the catalog (default: its own)")
	flags.IntVar(&f.workers, "workers", 0, "files read at once (default: one a processor)")
	flags.StringVar(&f.maxFileSize, "max-file-size", "4MiB", "larger files are left out and counted")
	flags.BoolVar(&f.noVendored, "skip-vendored", false, "leave out what others wrote: node_modules, vendor, third_party and the like")
	flags.BoolVar(&f.noGenerated, "skip-generated", false, "leave out what a program wrote: generated and minified files")
	flags.DurationVar(&f.wait, "wait", 10*time.Minute, "how long to wait for another process that writes the catalog")
	return cmd
}

func (a *app) index(ctx context.Context, location string, f *indexFlags) error {
	size, err := humanize.ParseBytes(f.maxFileSize)
	if err != nil || size == 0 || size > 1<<30 {
		return fmt.Errorf("--max-file-size %s: not a size between 1B and 1GiB", f.maxFileSize)
	}
	// Indexing makes much that is dropped at once: collecting it rarely costs less, and the limit keeps the peak in bounds.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(640 << 20)
	repo, err := source.Open(ctx, location, source.Options{MaxFileSize: int64(size), CacheDir: cacheDir(), Languages: index.Files(a.languages),
		SkipVendored: f.noVendored, Revisions: f.revs, Beside: []string{notes.Folder}})
	if err != nil {
		return err
	}
	defer repo.Close()
	revs, err := revisions(ctx, repo, f)
	if err != nil {
		return err
	}
	waitCtx, cancel := context.WithTimeout(ctx, f.wait)
	defer cancel()
	c, err := catalog.OpenWrite(waitCtx, a.catalogFile(), func(holder string) {
		fmt.Fprintf(a.stderr, "waiting for the catalog: %s is writing\n", holder)
	})
	if err != nil {
		return err
	}
	defer c.Close()
	for _, rev := range revs {
		bar := a.progress(rev)
		summary, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Rev: rev, Name: f.name, Languages: a.languages,
			SkipGenerated: f.noGenerated, Workers: f.workers, Progress: bar.update, Trace: os.Getenv("WHEREFORE_TRACE") != ""})
		bar.done()
		if err != nil {
			return err
		}
		a.printSummary(summary)
	}
	return nil
}

// revisions lists what to index: the named ones, the tags that fit, or what the repository holds now.
func revisions(ctx context.Context, repo *source.Repository, f *indexFlags) ([]string, error) {
	revs := f.revs
	if f.tags != "" {
		tags, err := repo.Tags(ctx, f.tags)
		if err != nil {
			return nil, err
		}
		if len(tags) == 0 {
			return nil, fmt.Errorf("no tag of %s fits %s", repo.Name(), f.tags)
		}
		revs = append(revs, tags...)
	}
	if len(revs) == 0 {
		revs = []string{""}
	}
	return revs, nil
}

func (a *app) printSummary(s *index.Summary) {
	if a.quiet {
		return
	}
	p := newPrinter(a.stdout)
	rev := shortRevision(s.Revision)
	if s.Same {
		p.printf("%s@%s is indexed already\n", clean(s.Repo), rev)
		return
	}
	sites := 0
	var languages []string
	for _, l := range s.Coverage.Languages {
		sites += l.Sites
		languages = append(languages, fmt.Sprintf("%s %d", l.Language, l.Sites))
	}
	p.printf("%s@%s: %d sites in %d files (%s), %d errors; %d files read, %d from the cache; %s\n", clean(s.Repo), rev, sites,
		s.Coverage.Files, strings.Join(languages, ", "), s.Errors, s.Read, s.Cached, s.Elapsed.Round(10*time.Millisecond))
	for _, c := range s.Coverage.Problems {
		if c.Reason == index.ReasonFailed {
			p.printf("  %d files could not be read in full: %s\n", c.Count, clean(strings.Join(c.Examples, "; ")))
		}
	}
}

// shortRevision is a revision's label with its commit, if it has one, in twelve digits.
func shortRevision(label string) string {
	if len(label) >= 40 {
		return label[:12] + label[40:]
	}
	return label
}
