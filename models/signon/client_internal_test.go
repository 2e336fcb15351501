package signon

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"code.dny.dev/ssrf"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"dispo/models/modelstest"
)

// proxied has the calls that went to the environment's proxy, which serves none.
var proxied = make(chan string, 100)

func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied <- r.Method + " " + r.Host
		w.WriteHeader(http.StatusBadGateway)
	}))
	_ = os.Setenv("HTTPS_PROXY", proxy.URL) // it is read once in a process
	os.Exit(modelstest.Main(m))
}

// call calls an address and returns the error.
func call(t *testing.T, private bool, address string) error {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := newClient(private).Do(request)
	if err == nil {
		_ = response.Body.Close()
	}
	return err
}

// The environment's proxy is used with DISPO_OIDC_PRIVATE alone: it would reach any address.
func TestProxy(t *testing.T) {
	t.Parallel()
	err := call(t, false, "https://10.0.0.1")
	require.ErrorIs(t, err, ssrf.ErrProhibitedIP)
	require.NotContains(t, err.Error(), "proxyconnect", "not even a proxy that has a public address")
	require.Empty(t, proxied)
	require.ErrorContains(t, call(t, true, "https://10.0.0.1"), "Bad Gateway")
	require.Equal(t, "CONNECT 10.0.0.1:443", modelstest.Receive(t, proxied))
}

// A name that has a public address when somebody checks it, and a private one when the connection is
// made, is not called.
//
//nolint:paralleltest // it answers for all names
func TestNamesThatChangeTheirAddress(t *testing.T) {
	var calls, lookups atomic.Int32
	provider := httptest.NewUnstartedServer(nil)
	provider.Config.ConnState = func(net.Conn, http.ConnState) { calls.Add(1) }
	provider.StartTLS()
	t.Cleanup(provider.Close)
	names, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = names.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := names.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				address := netip.MustParseAddr("127.0.0.1")
				if lookups.Add(1) == 1 {
					address = netip.MustParseAddr("8.8.8.8")
				}
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: address.As4()},
				}}
			}
			if answer, err := m.Pack(); err == nil {
				_, _ = names.WriteTo(answer, from)
			}
		}
	}()
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", names.LocalAddr().String())
	}}
	checked, err := net.DefaultResolver.LookupNetIP(t.Context(), "ip", "rebinds.example.com")
	require.NoError(t, err)
	require.Len(t, checked, 1)
	require.NoError(t, ssrf.New().SafeAddr(checked[0].Unmap()), "it is public")

	address := strings.Replace(provider.URL, "127.0.0.1", "rebinds.example.com", 1)
	require.ErrorIs(t, call(t, false, address), ssrf.ErrProhibitedIP)
	require.Zero(t, calls.Load())
}
