package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An answer that differs from the baseline's in any id, field, order, count or
// link fails the section, and the error names the difference.
func TestEqualJSON(t *testing.T) {
	const page = `{"data":[{"id":"a","count":1,"address":null},{"id":"b","count":9007199254740993,"address":null}],"meta":{"total":2},"_links":{"self":"/x"}}`
	for _, test := range []struct{ name, service, baseline, difference string }{
		{"same", page, page, ""},
		{"members in another order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, ""},
		{"spaces", `{"a":[1,2]}`, `{ "a": [1, 2] }`, ""},
		{"another value", `{"data":[{"id":"a"}]}`, `{"data":[{"id":"b"}]}`, `body.data[0].id is "a" in the service's answer, "b" in the baseline's`},
		{"another order", `["a","b"]`, `["b","a"]`, `body[0] is "a" in the service's answer, "b" in the baseline's`},
		{"null instead of a value", `{"a":null}`, `{"a":"x"}`, `body.a is null in the service's answer, "x" in the baseline's`},
		{"another type", `{"a":{"b":1}}`, `{"a":[1]}`, `body.a is {"b":1} in the service's answer, [1] in the baseline's`},
		{"a number beyond float64's precision", `{"a":9007199254740993}`, `{"a":9007199254740992}`, `body.a is 9007199254740993 in the service's answer, 9007199254740992 in the baseline's`},
		{"member missing in the baseline", `{"a":1,"b":null}`, `{"a":1}`, "body.b is missing in the baseline's answer"},
		{"member missing in the service", `{"a":1}`, `{"a":1,"b":null}`, "body.b is missing in the service's answer"},
		{"fewer elements", `{"data":[1]}`, `{"data":[1,2]}`, "body.data has 1 elements in the service's answer, 2 in the baseline's"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := equalJSON([]byte(test.service), []byte(test.baseline))
			if test.difference == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, test.difference)
			}
		})
	}
	require.ErrorContains(t, equalJSON([]byte(`{`), []byte(`{}`)), "the service's body")
	require.ErrorContains(t, equalJSON([]byte(`{}`), []byte(``)), "the baseline's body")
}
