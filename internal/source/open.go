package source

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Files are opened relative to the descriptor of their folder, a path component at a time and never through a symbolic link: not
// in the last component, not in one before, and not when a folder is exchanged for a link while it is read. os.Root follows links
// that stay inside, and walks from the root for each file; here the folder of the last file stays open for the next.

// maxDepth bounds the nesting of folders, and so the descriptors that are open at once.
const maxDepth = 200

// openRoot opens the folder that everything is read below. The folder itself may be named through links: the caller chose it.
func openRoot(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY, 0)
}

// walker opens files below a root. It is for one goroutine.
type walker struct {
	root  int
	names []string // of the folders that are open, outermost first
	fds   []int
}

// newWalker returns a walker with a descriptor of its own of the root: after the root is closed, its number may be that of anything.
func newWalker(root *os.File) (*walker, error) {
	fd, err := unix.FcntlInt(root.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: root.Name(), Err: err}
	}
	return &walker{root: fd}, nil
}

// close closes what is still open.
func (w *walker) close() {
	w.leave(0)
	unix.Close(w.root)
}

// leave closes the open folders down to a depth.
func (w *walker) leave(depth int) {
	for _, fd := range w.fds[depth:] {
		unix.Close(fd)
	}
	w.fds, w.names = w.fds[:depth], w.names[:depth]
}

// folder returns the descriptor of a folder, "." for the root. It stays open until another is asked for.
func (w *walker) folder(dir string) (int, error) {
	depth := 0
	for rest := dir; rest != "." && rest != ""; {
		name, after, _ := strings.Cut(rest, "/")
		if depth == len(w.names) || w.names[depth] != name {
			w.leave(depth)
			fd, err := openFolder(w.top(), name, depth)
			if err != nil {
				return -1, &fs.PathError{Op: "open", Path: dir, Err: err}
			}
			w.names, w.fds = append(w.names, name), append(w.fds, fd)
		}
		depth++
		rest = after
	}
	w.leave(depth)
	return w.top(), nil
}

// top is the innermost folder that is open.
func (w *walker) top() int {
	if n := len(w.fds); n > 0 {
		return w.fds[n-1]
	}
	return w.root
}

// The faults of a path, besides those of the system.
var (
	errTooDeep    = errors.New("folders are nested too deeply")
	errLinkedPath = errors.New("a folder on its path is a symbolic link")
)

// openFolder opens a folder in another one, which is at a depth below the root.
func openFolder(parent int, name string, depth int) (int, error) {
	if depth >= maxDepth {
		return -1, errTooDeep
	}
	if name == ".." || name == "." || name == "" {
		return -1, unix.EINVAL
	}
	fd, err := openAt(parent, name, unix.O_DIRECTORY)
	if err == unix.ENOTDIR || err == unix.ELOOP {
		var st unix.Stat_t
		if unix.Fstatat(parent, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
			err = errLinkedPath
		}
	}
	return fd, err
}

// openAt opens for reading what is no symbolic link. Without O_NONBLOCK a pipe put in the place of a file would hold us for ever.
func openAt(parent int, name string, flags int) (fd int, err error) {
	for {
		fd, err = unix.Openat(parent, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// stat is what the file system says of a file. Two equal ones mean the same content, unless it was written again within the
// resolution of the file system's clock; see memo.
type stat struct {
	size            int64
	modified, inode int64 // modified: ns since 1970
	changed         int64 // ns since 1970: of the content or of the inode, which no program can set back
	mode            uint32
}

// statOf takes what counts from the system's answer.
func statOf(st *unix.Stat_t) stat {
	return stat{size: st.Size, inode: int64(st.Ino), modified: st.Mtim.Nano(), changed: st.Ctim.Nano(), mode: uint32(st.Mode)}
}

// is reports whether the file is of one of the system's types of files.
func (s stat) is(format uint32) bool { return s.mode&unix.S_IFMT == format }
func (s stat) executable() bool      { return s.mode&0o111 != 0 }

// newest is the later of the two times.
func (s stat) newest() time.Time { return time.Unix(0, max(s.modified, s.changed)) }

// stat looks at a file without following it.
func (w *walker) stat(name string) (stat, error) {
	dir, err := w.folder(path.Dir(name))
	if err != nil {
		return stat{}, err
	}
	var st unix.Stat_t
	for {
		err = unix.Fstatat(dir, path.Base(name), &st, unix.AT_SYMLINK_NOFOLLOW)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return stat{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return statOf(&st), nil
}

// read returns the bytes of a regular file of at most limit bytes, in buffer if they fit, with the state in which they were read.
// A file that is longer, or that changes meanwhile, is a skipError.
func (w *walker) read(name string, buffer []byte, limit int64) ([]byte, stat, error) {
	dir, err := w.folder(path.Dir(name))
	if err != nil {
		return nil, stat{}, err
	}
	fd, err := openAt(dir, path.Base(name), 0)
	if err != nil {
		if err == unix.ELOOP {
			return nil, stat{}, &skipError{ReasonSymlink, ""}
		}
		return nil, stat{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer unix.Close(fd)
	return readOpen(fd, name, buffer, limit)
}

// readOpen reads an open file; see read.
func readOpen(fd int, name string, buffer []byte, limit int64) ([]byte, stat, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, stat{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	before := statOf(&st)
	switch {
	case !before.is(unix.S_IFREG):
		return nil, before, &skipError{ReasonUnreadable, "not a regular file"}
	case before.size > limit:
		return nil, before, tooLarge(before.size)
	}
	if int64(cap(buffer)) <= before.size {
		buffer = make([]byte, before.size+1)
	}
	// One byte more than the file has, so that one that grew is noticed, and so that one read tells its end.
	n, err := readFull(fd, buffer[:before.size+1])
	if err != nil {
		return nil, before, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, before, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	after := statOf(&st)
	if int64(n) != before.size || after.size != before.size || after.modified != before.modified {
		return nil, before, &skipError{ReasonChanged, ""}
	}
	return buffer[:n], before, nil
}

// readFull reads until the buffer is full or the file ends.
func readFull(fd int, buffer []byte) (n int, err error) {
	for n < len(buffer) {
		m, err := unix.Read(fd, buffer[n:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return n, err
		case m == 0:
			return n, nil
		}
		n += m
	}
	return n, nil
}
