package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// lock is an advisory lock on a file beside the catalog. The kernel releases it when its process ends, however that happens; the
// file's content only says who holds it.
type lock struct{ file *os.File }

// acquire takes the lock, waiting as long as ctx allows.
func acquire(ctx context.Context, path string, waiting func(string)) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) {
			return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return nil, fmt.Errorf("lock catalog: %w", err)
	}
	told := false
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock catalog %s: %w", path, err)
		}
		if !told && waiting != nil {
			told = true
			waiting(holder(path))
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("%w: %s", ErrHeld, holder(path))
		case <-time.After(100 * time.Millisecond):
		}
	}
	host, _ := os.Hostname()
	text := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
	if err := errors.Join(f.Truncate(0), writeAt(f, text)); err != nil {
		// Who holds it is a courtesy: a full disk must not keep anybody from a lock that is already held.
		_ = f.Truncate(0)
	}
	return &lock{f}, nil
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

func holder(path string) string {
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return "a process that did not say its name"
	}
	return strings.TrimSpace(string(text))
}

func (l *lock) release() error { return l.file.Close() }
