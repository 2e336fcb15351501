package tasks_test

import (
	"os"
	"testing"
	"time"

	"dispo/models/modelstest"
)

func TestMain(m *testing.M) {
	time.Local = time.FixedZone("elsewhere", 9*60*60) // which must not show in any value
	os.Exit(modelstest.Main(m))
}
