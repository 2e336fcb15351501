package dashboard_test

import (
	"os"
	"testing"

	"dispo/models/i18n"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) {
	i18n.Offered = []i18n.Language{i18n.English, i18n.Danish}
	os.Exit(modelstest.Main(m))
}
