package source

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// objects reads objects of git from one long-lived process, which is started when it is first needed, and again when it ended over a
// damaged object: so one damaged object costs itself alone. It is for one goroutine.
type objects struct {
	ctx       context.Context
	dir       string
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Reader
	complaint tail
	starts    int
	bad       error         // after too many starts
	within    time.Duration // for one answer
	late      atomic.Bool   // an answer took longer
}

// maxStarts is how often the process is started again before all further objects count as unreadable.
const maxStarts = 100

// errMissing says that there is no object of a name.
var errMissing = errors.New("missing")

// answerWithin bounds the wait for one object: a pipe that somebody put in the place of a file would hold git for ever.
const answerWithin = 2 * time.Minute

func newObjects(ctx context.Context, dir string) *objects {
	return &objects{ctx: ctx, dir: dir, within: answerWithin}
}

// start makes sure that the process runs.
func (o *objects) start() error {
	switch {
	case o.bad != nil:
		return o.bad
	case o.cmd != nil:
		return nil
	}
	// Without --buffer git answers each question at once; with it 5 % more pass through, and the answers wait.
	c := command(o.ctx, o.dir, noProtocol, "cat-file", "--batch")
	o.complaint = tail{limit: maxComplaint}
	c.Stderr = &o.complaint
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		o.bad = gitError(o.ctx, err, &o.complaint)
		return o.bad
	}
	o.cmd, o.in, o.out = c, in, bufio.NewReaderSize(out, 64<<10)
	o.starts++
	return nil
}

// close ends the process.
func (o *objects) close() error {
	if o.cmd == nil {
		return nil
	}
	err := o.in.Close()
	// What is left in the pipe is not wanted, and git must not wait for a reader of it.
	_ = o.cmd.Cancel()
	var exit *exec.ExitError
	if wait := o.cmd.Wait(); wait != nil && !errors.As(wait, &exit) && o.ctx.Err() == nil {
		err = errors.Join(err, wait)
	}
	o.cmd = nil
	return err
}

// get returns the object of a name: an id, or what git's revisions allow, without line breaks. An object of more than limit bytes is
// a skipError, one that is not there errMissing.
func (o *objects) get(name string, limit int64) (id, kind string, data []byte, err error) {
	if strings.ContainsAny(name, "\n\x00") {
		return "", "", nil, errMissing
	}
	if err := o.start(); err != nil {
		return "", "", nil, err
	}
	// The group of the process is ended, not the object that stands for it, which is ours.
	cancel := o.cmd.Cancel
	timer := time.AfterFunc(o.within, func() {
		o.late.Store(true)
		_ = cancel()
	})
	defer timer.Stop()
	if _, err := io.WriteString(o.in, name+"\n"); err != nil {
		return "", "", nil, o.broken(name, err)
	}
	head, err := o.out.ReadString('\n')
	if err != nil {
		return "", "", nil, o.broken(name, err)
	}
	head = strings.TrimSuffix(head, "\n")
	if head == name+" missing" {
		return "", "", nil, errMissing
	}
	if head == name+" ambiguous" {
		return "", "", nil, fmt.Errorf("%w: %s is short for several objects", ErrGit, name)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return "", "", nil, o.broken(name, fmt.Errorf("git says %q", head))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", "", nil, o.broken(name, fmt.Errorf("git says %q", head))
	}
	data, err = o.body(name, size, limit)
	return fields[0], fields[1], data, err
}

// body reads the bytes of an object and the line break after it.
func (o *objects) body(name string, size, limit int64) ([]byte, error) {
	if size > limit {
		if _, err := io.CopyN(io.Discard, o.out, size+1); err != nil {
			return nil, o.broken(name, err)
		}
		return nil, tooLarge(size)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(o.out, data); err != nil {
		return nil, o.broken(name, err)
	}
	return data[:size], nil
}

// broken ends a process that does not answer, and says why.
func (o *objects) broken(name string, err error) error {
	_ = o.in.Close()
	_ = o.cmd.Cancel()
	_ = o.cmd.Wait() // it says less than its complaint
	o.cmd = nil
	if o.late.Swap(false) {
		err = fmt.Errorf("git did not answer within %v", o.within)
		o.complaint = tail{limit: maxComplaint}
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("git ended")
	}
	if o.ctx.Err() != nil {
		return o.ctx.Err()
	}
	err = fmt.Errorf("%w: object %s: %s", ErrGit, name, o.complaint.line(err))
	if o.starts >= maxStarts {
		o.bad = err
	}
	return err
}

// blob returns the content of an id, and makes sure that it is the content: facts are kept by the id, and an object that is filed under
// the id of another would spoil the facts of each repository that holds the other.
func (o *objects) blob(h Hash, limit int64) ([]byte, error) {
	id := hex.EncodeToString(h[:])
	_, kind, data, err := o.get(id, limit)
	switch {
	case err == errMissing:
		return nil, &skipError{ReasonUnreadable, "object " + id + " is missing or damaged"}
	case err != nil:
		return nil, err
	case kind != "blob" || BlobHash(data) != h:
		return nil, &skipError{ReasonUnreadable, "object " + id + " is damaged"}
	}
	return data, nil
}
