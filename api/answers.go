package api

import "github.com/maypok86/otter/v2"

// answers remembers the bodies of answers within a budget of memory. Whether one
// is still right, the version of the data tells that it was read at: nothing has
// to be dropped when data changes.
type answers struct {
	cache *otter.Cache[question, versioned]
}

type versioned struct {
	version int64
	body    []byte
}

// answerOverhead is what an answer takes in memory beside its body, in bytes.
const answerOverhead = 256

// newAnswers makes room for that many bytes; none for 0.
func newAnswers(budget int64) answers {
	if budget == 0 {
		return answers{}
	}
	return answers{otter.Must(&otter.Options[question, versioned]{
		MaximumWeight: uint64(budget),
		Weigher:       func(_ question, a versioned) uint32 { return uint32(cap(a.body) + answerOverhead) },
	})}
}

func (a answers) get(asked question, version int64) (body []byte, ok bool) {
	if a.cache == nil {
		return nil, false
	}
	found, ok := a.cache.GetIfPresent(asked)
	return found.body, ok && found.version == version
}

// put keeps a body, which nobody may change from now on.
func (a answers) put(asked question, version int64, body []byte) {
	if a.cache != nil {
		a.cache.Set(asked, versioned{version, body})
	}
}
