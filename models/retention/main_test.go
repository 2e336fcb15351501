package retention_test

import (
	"os"
	"testing"

	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }
