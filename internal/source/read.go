package source

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// Reader hands out the bytes of files of one revision, to one goroutine at a time.
type Reader struct {
	repo *Repository
	work bool
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	bad  error
}

// Reader starts a reader. Objects of git come from one long-lived process.
func (r *Repository) Reader(ctx context.Context, v Revision) (*Reader, error) {
	x := &Reader{repo: r, work: v.work || !r.git}
	if x.work {
		return x, nil
	}
	x.cmd = command(ctx, r.dir, "cat-file", "--batch")
	var err error
	if x.in, err = x.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := x.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	x.out = bufio.NewReaderSize(out, 256<<10)
	if err := x.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	return x, nil
}

// Close ends the reader and its process.
func (x *Reader) Close() error {
	if x.cmd == nil {
		return nil
	}
	return errors.Join(x.in.Close(), x.cmd.Wait())
}

// errChanged says that a file is not what it was when it was listed.
var errChanged = errors.New("it changed while it was read")

// Read returns the bytes of a file. A file that changed since it was listed is an error: its facts would be filed under a
// content that it does not have.
func (x *Reader) Read(f File) ([]byte, error) {
	if x.work {
		data, err := x.repo.readFile(f.Path)
		if err == nil && BlobHash(data) != f.Hash {
			err = errChanged
		}
		return data, err
	}
	if x.bad != nil {
		return nil, x.bad
	}
	data, err := x.object(f.Hash)
	if err != nil {
		return nil, err
	}
	if reason := unreadable(data); reason != "" {
		return nil, errors.New(reason)
	}
	return data, nil
}

func (x *Reader) object(h Hash) ([]byte, error) {
	id := hex.EncodeToString(h[:])
	if _, err := io.WriteString(x.in, id+"\n"); err != nil {
		return nil, x.broken(err)
	}
	head, err := x.out.ReadString('\n')
	if err != nil {
		return nil, x.broken(err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, fmt.Errorf("%w: object %s is missing or damaged", ErrGit, id)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size > 1<<30 {
		return nil, x.broken(fmt.Errorf("object %s has the size %s", id, fields[2]))
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(x.out, data); err != nil {
		return nil, x.broken(err)
	}
	return data[:size], nil
}

// broken remembers that git's process cannot be used any more.
func (x *Reader) broken(err error) error {
	x.bad = fmt.Errorf("%w: reading objects of %s: %w", ErrGit, x.repo.location, err)
	return x.bad
}

// ReadPath returns the decoded text of one file of a revision.
func (r *Repository) ReadPath(ctx context.Context, v Revision, path string) ([]byte, error) {
	var data []byte
	var err error
	if v.work || !r.git {
		data, err = r.readFile(path)
	} else {
		var out string
		out, err = git(ctx, r.dir, "cat-file", "blob", v.Commit+":"+r.prefix+path)
		data = []byte(out)
	}
	if err != nil {
		return nil, err
	}
	text, _, err := Decode(data)
	if text == nil {
		return nil, err
	}
	return text, nil
}

// Decode turns the bytes of a source file into UTF-8: by its byte order mark, by the encoding that its first lines declare, and
// as UTF-8 otherwise. Invalid bytes are replaced; the error then says so, and the text is valid all the same.
func Decode(data []byte) (text []byte, encoding string, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return convert(data, "utf-16le")
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return convert(data, "utf-16be")
	}
	if utf8.Valid(data) {
		return data, "utf-8", nil
	}
	if name := declared(data); name != "" && name != "utf-8" && name != "utf8" {
		if text, _, err := convert(data, name); err == nil {
			return text, name, nil
		}
	}
	return bytes.ToValidUTF8(data, []byte("\uFFFD")), "utf-8", errors.New("bytes that are not UTF-8 were replaced")
}

func convert(data []byte, name string) ([]byte, string, error) {
	e, _ := charset.Lookup(name)
	if e == nil {
		return nil, name, fmt.Errorf("unknown encoding %s", name)
	}
	text, err := e.NewDecoder().Bytes(data)
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), name, err
}

// declared is the encoding that one of the first two lines names after "coding:" or "coding=".
func declared(data []byte) string {
	rest := data
	for range 2 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		rest = after
		line = line[:min(len(line), 400)]
		i := bytes.Index(line, []byte("coding"))
		if i < 0 || i+7 > len(line) || line[i+6] != ':' && line[i+6] != '=' {
			continue
		}
		name := strings.TrimLeft(string(line[i+7:]), " \t\"'")
		end := strings.IndexFunc(name, func(r rune) bool {
			return r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		})
		if end >= 0 {
			name = name[:end]
		}
		return strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	}
	return ""
}
