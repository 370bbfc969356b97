package room

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// The rules of state, as a table over every pair: what a room in the row's state becomes on a report of the column's.
func TestNext(t *testing.T) {
	const F, B, W, T, S = Failed, Bootstrapping, WaitingForInput, Transferring, Success
	want := map[State][5]State{
		F: {F, F, F, F, F}, // sticky, where SGLang lets a later success through
		B: {F, B, W, T, S},
		W: {F, W, W, T, S},
		T: {F, T, T, T, S}, // 3 then 2 stays 3
		S: {F, S, S, S, S},
	}
	for old, row := range want {
		for new, w := range row {
			if got := Next(old, State(new)); got != w {
				t.Errorf("Next(%v, %v) = %v, want %v", old, State(new), got, w)
			}
		}
	}
}

func TestLeast(t *testing.T) {
	if got := Least(Success, Transferring, WaitingForInput); got != WaitingForInput {
		t.Errorf("least of three = %v", got)
	}
	if got := Least(Success, Failed, Success); got != Failed {
		t.Errorf("one failure gives %v", got)
	}
	if got := Least(); got != Success {
		t.Errorf("a group of none = %v", got)
	}
}

func TestOpenRefusals(t *testing.T) {
	tab := NewTable(Options{Max: 2})
	if _, err := tab.Open(0); !errors.Is(err, ErrNoRoom) {
		t.Errorf("room 0: %v", err)
	}
	open(t, tab, 7)
	tab.Advance(7, WaitingForInput)
	var dup *DuplicateError
	if _, err := tab.Open(7); !errors.As(err, &dup) || dup.Room != 7 || dup.State != WaitingForInput {
		t.Errorf("second open of 7: %v", err)
	}
	open(t, tab, 8)
	var full *FullError
	if _, err := tab.Open(9); !errors.As(err, &full) || full.Max != 2 {
		t.Errorf("third room of two: %v", err)
	}
	_ = tab.Close(8)
	open(t, tab, 9) // a closed room makes space
}

// Reports about rooms that are not open must not bring one into being.
func TestUnknownRoomIsLeftAlone(t *testing.T) {
	tab := NewTable(Options{})
	for s := Failed; s <= Success; s++ {
		if _, ok := tab.Advance(5, s); ok {
			t.Errorf("Advance(%v) found a room", s)
		}
	}
	if tab.Fail(5, ErrAborted) {
		t.Error("Fail found a room")
	}
	if _, ok := tab.State(5); ok {
		t.Error("a report opened the room")
	}
	var unknown *UnknownError
	if err := tab.Wait(context.Background(), 5); !errors.As(err, &unknown) || unknown.Room != 5 {
		t.Errorf("Wait: %v", err)
	}
}

func TestFirstReasonIsKeptAndHandedOutOnce(t *testing.T) {
	tab := NewTable(Options{})
	open(t, tab, 1)
	first, second := errors.New("first"), errors.New("second")
	if !tab.Fail(1, first) {
		t.Fatal("the first failure was not taken")
	}
	if tab.Fail(1, second) {
		t.Error("the second failure was taken")
	}
	if s, _ := tab.Advance(1, Success); s != Failed {
		t.Errorf("a success after the failure gives %v", s)
	}
	var te *TransferError
	if err := tab.Close(1); !errors.As(err, &te) || te.Room != 1 || !errors.Is(err, first) {
		t.Errorf("Close: %v", err)
	}
	var unknown *UnknownError
	if err := tab.Close(1); !errors.As(err, &unknown) {
		t.Errorf("second Close: %v", err)
	}
}

func TestSuccessMayStillFail(t *testing.T) {
	tab := NewTable(Options{})
	open(t, tab, 1)
	tab.Advance(1, Success)
	must(t, tab.Wait(context.Background(), 1))
	reason := errors.New("metadata of another room")
	if !tab.Fail(1, reason) {
		t.Fatal("a success could not fail")
	}
	if err := tab.Close(1); !errors.Is(err, reason) {
		t.Errorf("Close: %v", err)
	}
}

func TestCloseOfAnUnfinishedRoomWakesWaiters(t *testing.T) {
	tab := NewTable(Options{})
	open(t, tab, 1)
	got := make(chan error, 1)
	go func() { got <- tab.Wait(context.Background(), 1) }()
	// Wait may look the room up before or after Close; both must end, with the reason or as unknown.
	_ = tab.Close(1)
	err := <-got
	var unknown *UnknownError
	if !errors.Is(err, ErrAborted) && !errors.As(err, &unknown) {
		t.Errorf("Wait: %v", err)
	}
}

func TestWaitHonoursContext(t *testing.T) {
	tab := NewTable(Options{})
	open(t, tab, 1)
	cause := errors.New("caller left")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if err := tab.Wait(ctx, 1); !errors.Is(err, cause) {
		t.Errorf("Wait: %v", err)
	}
}

// A stay counts from the last change of state, each state has its own, and ended rooms never expire.
func TestExpire(t *testing.T) {
	now := time.Unix(0, 0)
	tab := NewTable(Options{
		Now:  func() time.Time { return now },
		Stay: map[State]time.Duration{Bootstrapping: 10 * time.Second, WaitingForInput: 20 * time.Second},
	})
	for id := ID(1); id <= 4; id++ {
		open(t, tab, id)
	}
	now = now.Add(9 * time.Second)
	tab.Advance(2, WaitingForInput)
	tab.Advance(3, Success)
	tab.Advance(4, Transferring)
	if late := tab.Expire(); len(late) != 0 {
		t.Fatalf("after 9 s: %v", late)
	}
	now = now.Add(time.Second)
	if late := tab.Expire(); len(late) != 1 || late[0] != 1 {
		t.Fatalf("after 10 s: %v", late)
	}
	var te *TimeoutError
	if err := tab.Close(1); !errors.As(err, &te) || te.State != Bootstrapping || te.After != 10*time.Second {
		t.Errorf("room 1: %v", err)
	} else if want := "KV cache transfer of room 1 failed: room 1 timed out after 10.0s in Bootstrapping"; err.Error() != want {
		t.Errorf("room 1: %v", err)
	}
	now = now.Add(19 * time.Second)
	if late := tab.Expire(); len(late) != 1 || late[0] != 2 {
		t.Fatalf("after 29 s: %v", late)
	}
	now = now.Add(DefaultStay)
	if late := tab.Expire(); len(late) != 1 || late[0] != 4 {
		t.Fatalf("after 329 s: %v (the default stay is for room 4)", late)
	}
	if n := tab.Counts(); n != [5]int{2, 0, 0, 0, 1} {
		t.Errorf("counts %v", n)
	}
}

func TestStateTextRoundTrip(t *testing.T) {
	for s := Failed; s <= Success; s++ {
		text, err := json.Marshal(s)
		must(t, err)
		var back State
		must(t, json.Unmarshal(text, &back))
		if back != s {
			t.Errorf("%v came back as %v", s, back)
		}
	}
	var s State
	var name *StateNameError
	if err := s.UnmarshalText([]byte("Done")); !errors.As(err, &name) {
		t.Errorf("unknown name: %v", err)
	}
	if got := State(9).String(); got != "State(9)" {
		t.Errorf("State(9) prints %s", got)
	}
}

// The context of a room ends with it, and says why.
func TestContextEndsWithTheRoom(t *testing.T) {
	tab := NewTable(Options{})
	won, lost := open(t, tab, 1), open(t, tab, 2)
	tab.Advance(1, Transferring)
	if won.Err() != nil || lost.Err() != nil {
		t.Fatal("a context ended before its room")
	}
	reason := errors.New("peer is gone")
	tab.Advance(1, Success)
	tab.Fail(2, reason)
	if !errors.Is(context.Cause(won), ErrSucceeded) || !errors.Is(context.Cause(lost), reason) {
		t.Errorf("causes: %v, %v", context.Cause(won), context.Cause(lost))
	}
}

func open(t *testing.T, tab *Table, id ID) context.Context {
	t.Helper()
	ctx, err := tab.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
