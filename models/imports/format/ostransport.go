package format

import "fmt"

// osTransport is what a parser knows of the transport's own lines. Deliveries may
// stand between a PBCNET00 and a PBCNET90, which have no part in them. These lines are
// not described publicly, but software that writes them is public. There a PBCNET00 has
// 44 characters and a PBCNET90 34:
//
//	PBCNET00  system 3, filler 1, date 6, number 2, filler 2, id 6, filler 16
//	PBCNET90  system 3, filler 1, date 6, number 2, filler 2, id 6, count 6
//
// Neither line needs to have that width, and only the count is used: the number of
// lines between the two. It is not checked where it is not 6 digits.
type osTransport struct {
	start    int64 // the number of the PBCNET00's line; 0 outside of such lines
	doubtful bool  // one of the two may be a line that cannot be read
}

const osTransportEndWidth = 34

var (
	osTransportPrefix = []byte("PBCNET")
	osTransportKind   = osSpan{0, 8}
	osTransportCount  = osSpan{28, 34} // PBCNET90
)

func (p *osParser) parseTransport(l *line) error {
	number := l.index + 1
	var field, reason string
	switch kind := string(osTransportKind.of(l)); kind {
	case "PBCNET00":
		reason = p.startTransport(number)
	case "PBCNET90":
		field, reason = p.endTransport(l)
	default:
		reason = fmt.Sprintf("expected PBCNET00 or PBCNET90, found %s; take the transport's own lines out of the file", quoted(l.text[:min(len(l.text), osTransportKind.to)]))
		p.lose()
	}
	if reason != "" {
		return p.out.reject(number, field, reason)
	}
	return nil
}

func (p *osParser) startTransport(number int64) (reason string) {
	before, previous := p.state, p.transport
	p.state = osOutside
	p.transport = osTransport{start: number}
	switch {
	case before == osInDelivery || before == osInSection:
		return "PBCNET00 inside a delivery: the delivery has no OS9"
	case previous.start > 0 && !previous.doubtful:
		return "PBCNET00 without a PBCNET90 for the one before it"
	}
	return ""
}

func (p *osParser) endTransport(l *line) (field, reason string) {
	before, transport := p.state, p.transport
	p.state = osOutside
	p.transport = osTransport{}
	between := l.index - transport.start
	switch {
	case before == osInDelivery || before == osInSection:
		return "", "PBCNET90 inside a delivery: the delivery has no OS9"
	case transport.doubtful:
		return "", ""
	case transport.start == 0:
		return "", "PBCNET90 without a PBCNET00 before it; the start of the file may be missing"
	case between == 0:
		return "", "there is no delivery between PBCNET00 and PBCNET90"
	case !l.ended && l.width() != osTransportEndWidth:
		return "", "PBCNET90: " + widthReason(l, osTransportEndWidth)
	}
	text := osTransportCount.of(l)
	if !isDigits(text, 6, 6) || p.out.summary.Bad > 0 {
		return "", ""
	}
	// The two lines themselves may be counted too.
	if count := int64(number(text)); count != between && count != between+2 {
		return "count", fmt.Sprintf("the PBCNET90 count is %d, but %d lines stand between it and its PBCNET00", count, between)
	}
	return "", ""
}

func (p *osParser) finishTransport() error {
	if p.transport.start == 0 || p.transport.doubtful {
		return nil
	}
	return p.out.reject(p.last, "", "the PBCNET00 has no PBCNET90; the file may be truncated")
}
