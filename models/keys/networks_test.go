package keys_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

func networks(t *testing.T, text string) keys.Networks {
	t.Helper()
	read, err := keys.ReadNetworks(text)
	require.NoError(t, err)
	return read
}

// Addresses and networks of IPv4 and IPv6 are read, each once, and IPv6 that stands for IPv4 as
// IPv4. Each that cannot be read is refused by a sentence that says what is wrong with it, and
// has no key. A list has at most 50.
func TestReadNetworks(t *testing.T) {
	t.Parallel()
	for text, expected := range map[string]string{
		"": "anywhere", " \n,": "anywhere", "192.0.2.7": "192.0.2.7", "192.0.2.7/32": "192.0.2.7",
		"192.0.2.0/24, 192.0.2.0/24\r\n2001:DB8::/32": "192.0.2.0/24, 2001:db8::/32",
		"::ffff:192.0.2.7":                            "192.0.2.7", "::ffff:192.0.2.0/120": "192.0.2.0/24", "::ffff:c000:200/120": "192.0.2.0/24",
		"0.0.0.0/0 ::/0": "0.0.0.0/0, ::/0", "2001:db8::1": "2001:db8::1",
	} {
		require.Equal(t, expected, networks(t, text).String(), text)
	}
	_, key := modelstest.CreateKey(t, newWorld(t).tenant, keys.NewKey{Name: "x"})
	for text, reason := range map[string]string{
		"office": "office is not an IP address", "192.0.2": "not an IP address", "192.0.2.0/24/8": "must be from 0 to 32",
		"192.0.02.1": "not an IP address", key: "not an IP address", "2001:db8::/129": "must be from 0 to 128",
		"192.0.2.0/33": "must be from 0 to 32", "192.0.2.0/": "must be from 0 to 32", "192.0.2.0/024": "must be from 0 to 32",
		"192.0.2.7/24": "192.0.2.7/24 is one address of the network 192.0.2.0/24", "2001:db8::1/32": "network 2001:db8::/32",
		"::ffff:192.0.2.7/120": "network 192.0.2.0/24", "fe80::1%eth0": "has a zone", "fe80::%eth0/64": "has a zone",
		"192.0.2.0/24 " + strings.Repeat("x", 500): strings.Repeat("x", 49) + " is not",
	} {
		_, err := keys.ReadNetworks(text)
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Contains(t, err.Error(), reason)
		require.NotContains(t, err.Error(), key[len("dispo_")+12+1:][:4]) // the secret's beginning
	}
	var many []string
	for i := range keys.NetworksMost + 1 {
		many = append(many, netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}).String())
	}
	require.Len(t, networks(t, strings.Join(many[1:], " ")), keys.NetworksMost)
	_, err := keys.ReadNetworks(strings.Join(many, "\n"))
	modelstest.RequireKind(t, models.KindInvalid, err)
	require.Contains(t, err.Error(), "50 networks at most, not 51")
}

// An address is allowed if one of the networks has it, also if it is written as IPv6, and any
// address is where there is no network.
func TestNetworksAllow(t *testing.T) {
	t.Parallel()
	bound := networks(t, "192.0.2.0/24 2001:db8::/32")
	for address, allowed := range map[string]bool{
		"192.0.2.0": true, "192.0.2.255": true, "192.0.3.0": false, "::ffff:192.0.2.7": true, "::ffff:192.0.3.7": false,
		"2001:db8::1": true, "2001:db8::1%eth0": true, "2001:db9::1": false, "::192.0.2.7": false,
	} {
		require.Equal(t, allowed, bound.Allow(netip.MustParseAddr(address)), address)
		require.True(t, keys.Networks(nil).Allow(netip.MustParseAddr(address)))
	}
	require.False(t, bound.Allow(netip.Addr{}), "an address that is not known")
}

// However a key is known — from memory, by its row, its fingerprint or bcrypt — the address is
// compared, and a refusal by it makes no difference to a later request from elsewhere. Only
// whoever has the secret learns of it. Another state of the key outweighs it.
func TestAddressIsComparedEachTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inside, outside := netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("203.0.113.9")
	key, text := modelstest.CreateKey(t, w.tenant, keys.NewKey{Name: "x", Networks: networks(t, "192.0.2.0/24")})
	parsed, forged := modelstest.ParseKey(t, text), modelstest.ParseKey(t, modelstest.ForgeKey(text))
	refused := func(k *keys.Verifier) {
		_, remembered := k.Remembered(text, outside)
		require.False(t, remembered)
		caller, err := k.Verify(t.Context(), parsed, outside)
		modelstest.RequireRefused(t, "not allowed from the address 203.0.113.9", err)
		require.True(t, keys.Elsewhere(err))
		require.Equal(t, "elsewhere", keys.Reason(err))
		require.Equal(t, key.ID, caller.KeyID, "its request is recorded")
		_, err = k.Verify(t.Context(), forged, outside)
		modelstest.RequireRefused(t, "invalid", err)
	}
	accepted := func(k *keys.Verifier) {
		caller, err := k.Verify(t.Context(), parsed, inside)
		require.NoError(t, err)
		require.Equal(t, key.ID, caller.KeyID)
	}
	for _, stored := range []string{"fingerprint = fingerprint", "fingerprint = NULL"} { // decided by it, or by bcrypt
		for _, first := range []func(*keys.Verifier){refused, accepted} {
			w.execute(t, `UPDATE api_keys SET `+stored)
			instance := modelstest.Open(t, w.URL, database.Service)
			for _, then := range []func(*keys.Verifier){first, refused, accepted, refused} {
				then(instance.Keys)
				instance.DB().Feed.KeyChanged(key.ID) // then its row is read
				then(instance.Keys)
			}
			instance.Close()
		}
	}
	w.execute(t, `UPDATE api_keys SET paused_at = now()`)
	_, err := modelstest.Open(t, w.URL, database.Service).Keys.Verify(t.Context(), parsed, outside)
	modelstest.RequireRefused(t, "paused", err)
}

// A list of addresses holds on every instance within a second, for a key that it remembers. A
// rotation takes the list over; a successor that has a list of its own keeps it. The audit log
// says what was allowed before.
func TestBind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := modelstest.CreateKey(t, w.tenant, keys.NewKey{Name: "x"})
	parsed, outside := modelstest.ParseKey(t, text), netip.MustParseAddr("203.0.113.9")
	other := modelstest.Open(t, w.URL, database.Service)
	_, err := other.Keys.Verify(t.Context(), parsed, outside)
	require.NoError(t, err)
	bound, err := keys.Bind(t.Context(), w.tenant, key.ID, networks(t, "192.0.2.0/24"))
	require.NoError(t, err)
	require.Equal(t, "192.0.2.0/24", bound.Networks.String())
	modelstest.Within(t, time.Second, func() bool {
		_, err := other.Keys.Verify(t.Context(), parsed, outside)
		return keys.Elsewhere(err)
	})
	entries, _, err := w.tenant.AuditLog(t.Context(), models.AuditFilter{KeyID: key.ID}, nil, 1)
	require.NoError(t, err)
	require.Contains(t, entries[0].Subject, "allowed from 192.0.2.0/24 instead of anywhere")

	successor, _ := modelstest.CreateKey(t, w.tenant, keys.NewKey{Name: "y", SuccessorOf: &key.ID})
	require.Equal(t, bound.Networks, successor.Networks)
	_, err = keys.Revoke(t.Context(), w.tenant, successor.ID)
	require.NoError(t, err)
	own, _ := modelstest.CreateKey(t, w.tenant,
		keys.NewKey{Name: "z", SuccessorOf: &key.ID, Networks: networks(t, "192.0.2.7")})
	require.Equal(t, "192.0.2.7", own.Networks.String())

	_, err = keys.Bind(t.Context(), w.tenant, key.ID, nil)
	require.NoError(t, err)
	modelstest.Within(t, time.Second, func() bool {
		_, err := other.Keys.Verify(t.Context(), parsed, outside)
		return err == nil
	})
}

// A list names each address that it would shut out though the key was used from there, and no
// other one. Where a key has more callers than are listed, it says that it cannot tell of them,
// unless the list allows all that was allowed.
func TestShutOut(t *testing.T) {
	t.Parallel()
	used := time.Now()
	caller := func(address string, used *time.Time) keys.KeyCaller {
		return keys.KeyCaller{Address: address, LastUsed: used}
	}
	for _, row := range []struct {
		before, to string
		callers    []keys.KeyCaller
		out        []string
		others     bool
	}{
		{"", "192.0.2.0/24", []keys.KeyCaller{caller("192.0.2.7", &used), caller("203.0.113.9", &used), caller("203.0.113.9", &used),
			caller("203.0.113.10", nil)}, []string{"203.0.113.9"}, false},
		{"192.0.2.0/24", "192.0.2.7", []keys.KeyCaller{caller("192.0.2.7", &used), caller("192.0.2.8", &used), caller("203.0.113.9", &used)},
			[]string{"192.0.2.8"}, false},
		{"", "", []keys.KeyCaller{caller("192.0.2.7", &used), caller("", &used)}, nil, false},
		{"192.0.2.0/24", "", []keys.KeyCaller{caller("192.0.2.7", &used), caller("", &used)}, nil, false},
		{"", "192.0.2.0/24", []keys.KeyCaller{caller("", &used)}, nil, true},
		{"192.0.2.0/24", "192.0.0.0/16 2001:db8::/32", []keys.KeyCaller{caller("", &used)}, nil, false},
		{"192.0.2.0/24 2001:db8::/32", "192.0.0.0/16", []keys.KeyCaller{caller("", &used)}, nil, true},
		{"192.0.0.0/16", "192.0.2.0/24", []keys.KeyCaller{caller("", &used)}, nil, true},
		{"192.0.0.0/16", "192.0.2.0/24", []keys.KeyCaller{caller("", nil)}, nil, false},
	} {
		out, others := keys.ShutOut(keys.Key{Networks: networks(t, row.before)}, row.callers, networks(t, row.to))
		require.Equal(t, row.out, out, row)
		require.Equal(t, row.others, others, row)
	}
}
