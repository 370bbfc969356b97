package ranks

// Sizes are the parallel sizes of an engine, each at least 1.
type Sizes struct {
	TP int `json:"tp"` // attention tensor parallel
	CP int `json:"cp"` // context parallel
	PP int `json:"pp"` // pipeline parallel
}

// Decode is a decode process: its engine and its place there.
type Decode struct {
	Sizes
	Rank   int // among all processes of its stage; taken modulo TP
	PPRank int
}

// Prefill is a prefill engine, and how it uses its ranks.
type Prefill struct {
	Sizes
	Latent bool // one latent per token, the same on every TP rank: any one rank has all of it
	AllCP  bool // all CP ranks send their share of pages; else CP rank 0 sends all
}

// Target is one prefill process that decode contacts.
type Target struct {
	TP, CP, PP int
	// Dummy targets send no data. They are contacted so that they learn of the request and can conclude it.
	Dummy bool
}

// Mapping is whom a decode process contacts and what both sides then wait for.
type Mapping struct {
	Targets []Target
	// Infos is how many decode processes each prefill process must hear from before it may send.
	Infos int
	// Replies is how many distinct senders decode must hear from before a request is complete.
	Replies int
}

// Map says whom one decode process contacts. Errors are the typed ones of this package.
func Map(d Decode, p Prefill) (Mapping, error) {
	if err := check(d, p); err != nil {
		return Mapping{}, err
	}
	m := Mapping{Infos: max(1, d.TP/p.TP)}
	first, count := partners(p.TP, d.TP, d.Rank%d.TP)
	data := count // how many of the TP ranks send data
	if p.Latent {
		data = 1
	}
	senders := 1
	if p.AllCP {
		senders = p.CP
	}
	stages := []int{d.PPRank}
	if d.PP != p.PP {
		stages = seq(p.PP)
	}
	for _, pp := range stages {
		for cp := range senders {
			for i := range count {
				m.Targets = append(m.Targets, Target{TP: first + i, CP: cp, PP: pp, Dummy: i >= data})
			}
		}
	}
	m.Replies = data * senders * len(stages)
	return m, nil
}

// partners is the first TP rank of prefill that a decode rank is filled from, and how many there are.
func partners(prefillTP, decodeTP, rank int) (first, count int) {
	return rank * prefillTP / decodeTP, max(1, prefillTP/decodeTP)
}

// Meet tells whether a prefill rank has what a decode rank holds: whether Map makes it a target. Sizes must be at least 1.
func Meet(prefillTP, prefillRank, decodeTP, decodeRank int) bool {
	first, count := partners(prefillTP, decodeTP, decodeRank)
	return prefillRank >= first && prefillRank < first+count
}

// check refuses engines that cannot work together.
func check(d Decode, p Prefill) error {
	for _, s := range []struct {
		name  string
		value int
	}{
		{"decode TP size", d.TP}, {"decode CP size", d.CP}, {"decode PP size", d.PP},
		{"prefill TP size", p.TP}, {"prefill CP size", p.CP}, {"prefill PP size", p.PP},
	} {
		if s.value < 1 || s.value > maxRanks {
			return &RankError{s.name, s.value, 1, maxRanks}
		}
	}
	switch {
	case d.Rank < 0:
		return &RankError{"decode rank", d.Rank, 0, maxRanks}
	case d.PPRank < 0 || d.PPRank >= d.PP:
		return &RankError{"decode PP rank", d.PPRank, 0, d.PP - 1}
	case d.CP != 1:
		return &DecodeCPError{d.CP}
	case d.PP != p.PP && d.PP != 1:
		return &PPError{d.PP, p.PP}
	case d.TP%p.TP != 0 && p.TP%d.TP != 0:
		return &TPError{p.TP, d.TP}
	}
	return nil
}

// maxRanks bounds sizes; no engine has as many processes.
const maxRanks = 1 << 16

// seq is 0..n-1.
func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Sender is the number by which decode tells the processes of a prefill engine apart when it counts replies.
func Sender(s Sizes, tp, cp, pp int) int { return tp*s.PP*s.CP + pp*s.CP + cp }
