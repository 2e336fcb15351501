package faults_test

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// resources are what an instance must not use more and more of, with how much more than
// before is no leak.
var resources = []struct {
	metric string
	unit   float64
	slack  float64
}{
	{"process_resident_memory_bytes", 1 << 20, 16 << 20},
	{"go_goroutines", 1, 40},
	{"process_open_fds", 1, 40},
	{"dispo_database_connections", 1, 12}, // pools keep what they opened for half an hour
}

// soak requires that under a steady load with imports, rotations, bulk reads and waiting
// clients, an instance uses as much memory, and as many goroutines, descriptors and
// connections, in the last quarter of the time as in the second. When the load is over, it
// lets go of them.
func (f *fleet) soak() {
	idle := f.sample()
	require.NotContains(f, idle, -1.0, "a metric is missing")
	stop := f.load(10)
	var samples [][]float64
	every := max(*length/60, 250*time.Millisecond)
	for began := time.Now(); time.Since(began) < *length; pause(every) {
		samples = append(samples, f.sample())
	}
	stop()
	f.Log(curves(samples, every))
	quarter := len(samples) / 4
	for i := range idle {
		r := resources[i%len(resources)]
		if len(samples) >= 40 {
			before, after := middle(samples[quarter:2*quarter], i), middle(samples[3*quarter:], i)
			require.LessOrEqual(f, after, before*1.1+r.slack, "%s of instance %d grows", r.metric, i/len(resources)+1)
		}
		if r.unit > 1 {
			continue // the runtime gives memory back late
		}
		client.CloseIdleConnections()
		modelstest.Eventually(f, func() bool { return f.sample()[i] <= idle[i]+r.slack }, "%s does not go back to %v",
			r.metric, idle[i])
	}
	f.check()
}

// sample returns what each instance uses of each resource.
func (f *fleet) sample() (used []float64) {
	for _, instance := range f.instances {
		for _, r := range resources {
			used = append(used, instance.metric(r.metric))
		}
	}
	return used
}

// middle returns the median of one resource.
func middle(samples [][]float64, i int) float64 {
	var values []float64
	for _, sample := range samples {
		values = append(values, sample[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// curves returns a table of about twenty of the samples.
func curves(samples [][]float64, every time.Duration) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\nAFTER\t")
	for range samples[0][:len(samples[0])/len(resources)] {
		fmt.Fprint(table, "MB\tGOROUTINES\tDESCRIPTORS\tCONNECTIONS\t")
	}
	for i := 0; i < len(samples); i += max(1, len(samples)/20) {
		fmt.Fprintf(table, "\n%s\t", time.Duration(i)*every)
		for j, value := range samples[i] {
			fmt.Fprintf(table, "%.0f\t", value/resources[j%len(resources)].unit)
		}
	}
	fmt.Fprintln(table)
	_ = table.Flush()
	return text.String()
}
