package catalog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Some tests need a process of their own: one that can be killed, or one that may mount. The test binary is started again with the
// name of a part to play and the path it is about.

// part is the environment's variable that names the part of a child.
const part = "CATALOG_TEST_PART"

func TestMain(m *testing.M) {
	name, path, ok := strings.Cut(os.Getenv(part), ":")
	if !ok {
		os.Exit(m.Run())
	}
	parts := map[string]func(context.Context, string) error{"save": saveForEver, "hold": hold, "full": onFullDisk, "readonly": onReadOnly}
	if err := parts[name](context.Background(), path); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// child starts the test binary to play a part. Its output is read with the scanner.
func child(t *testing.T, name, path string, attr *syscall.SysProcAttr) (*exec.Cmd, *bufio.Scanner, io.Closer) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), part+"="+name+":"+path)
	c.SysProcAttr = attr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		if attr != nil && attr.Cloneflags != 0 && os.Getenv("CI") == "" {
			t.Skipf("no file system can be mounted here: %v", err)
		}
		t.Fatal(err)
	}
	return c, bufio.NewScanner(out), in
}

// mounting plays a part in a process that may mount: in a mount namespace of its own, which takes its mounts with it when it ends.
func mounting(t *testing.T, name string) {
	t.Helper()
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		attr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	}
	c, lines, _ := child(t, name, t.TempDir(), attr)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
	}
	err := c.Wait()
	text := strings.Join(said, "\n")
	if strings.HasPrefix(text, notMounted) && os.Getenv("CI") == "" {
		t.Skip(text)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

const notMounted = "no file system can be mounted here"

// mount mounts a file system in memory on dir, for this process alone.
func mount(dir string, bytes int) error {
	err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	if err == nil {
		err = syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", notMounted, err)
	}
	return nil
}

// hold opens a catalog for writing and keeps it until standard input ends.
func hold(ctx context.Context, path string) error {
	c, err := OpenWrite(ctx, path, nil)
	if err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, c.Close())
}

// saveForEver saves one state after the other and tells each one that is saved.
func saveForEver(ctx context.Context, path string) error {
	c, err := OpenWrite(ctx, path, nil)
	if err != nil {
		return err
	}
	n, err := state(ctx, c)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return err
	}
	for {
		n++
		if err := save(ctx, c, "head", n); err != nil {
			return err
		}
		fmt.Println(n)
	}
}
