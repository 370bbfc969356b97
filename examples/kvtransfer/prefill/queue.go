package prefill

import "sync"

// job is one thing for a session's sender to do. run sends; where the session ends first, drop is called instead. Exactly one
// of the two is called, once.
type job struct {
	run  func() error
	drop func(error)
}

// queue is the jobs of one session. It is not bounded by itself: what is in it is bounded by the rooms that are open.
type queue struct {
	mu     sync.Mutex
	jobs   []job
	closed error         // why no more jobs are taken
	wake   chan struct{} // holds a token while there may be something to do
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// push adds a job at the end, or at the front where first is set. On a closed queue the job is dropped.
func (q *queue) push(j job, first bool) {
	q.mu.Lock()
	err := q.closed
	switch {
	case err != nil:
	case first:
		q.jobs = append([]job{j}, q.jobs...)
	default:
		q.jobs = append(q.jobs, j)
	}
	q.mu.Unlock()
	if err != nil {
		j.drop(err)
		return
	}
	q.signal()
}

// signal wakes who waits in pop.
func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// pop waits for the next job; false when the queue is closed.
func (q *queue) pop() (job, bool) {
	for {
		q.mu.Lock()
		if q.closed != nil {
			q.mu.Unlock()
			return job{}, false
		}
		if len(q.jobs) > 0 {
			j := q.jobs[0]
			q.jobs[0] = job{} // the job holds a request, which must not be kept by the array
			q.jobs = q.jobs[1:]
			q.mu.Unlock()
			return j, true
		}
		q.mu.Unlock()
		<-q.wake
	}
}

// close drops what is left and everything that comes later.
func (q *queue) close(err error) {
	q.mu.Lock()
	if q.closed == nil {
		q.closed = err
	}
	left := q.jobs
	q.jobs = nil
	q.mu.Unlock()
	for _, j := range left {
		j.drop(err)
	}
	q.signal()
}
