package market

import (
	"testing"

	"github.com/portolan/portolan/models/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
