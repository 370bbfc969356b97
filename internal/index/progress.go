package index

import "sync"

// meter counts what was done and reports it.
type meter struct {
	mu     sync.Mutex
	state  Progress
	report func(Progress)
}

func (m *meter) change(f func(*Progress)) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.state)
	m.report(m.state)
}

func (m *meter) phase(name string) { m.change(func(p *Progress) { p.Phase = name }) }

func (m *meter) start(files int) {
	m.change(func(p *Progress) { p.Phase, p.Files = "read", files })
}

func (m *meter) add(bytes int64, sites int) {
	m.change(func(p *Progress) {
		p.Done++
		p.Bytes += bytes
		p.Sites += sites
	})
}
