package api

import "github.com/maypok86/otter/v2"

// answers remembers the bodies of answers, up to a number of bytes. Each belongs to
// the data version that it was read at, so nothing has to be dropped when data
// changes.
type answers struct {
	cache *otter.Cache[question, versioned]
}

type versioned struct {
	version int64
	body    []byte
}

// answerOverhead is the memory in bytes that an answer takes beside its body.
const answerOverhead = 256

// newAnswers returns answers with room for that many bytes. 0 remembers none.
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

// put remembers a body, which must not be changed afterwards.
func (a answers) put(asked question, version int64, body []byte) {
	if a.cache != nil {
		a.cache.Set(asked, versioned{version, body})
	}
}
