package layouts

import (
	"fmt"
	"math"
	"strings"
)

// roses are the crossing points of the chart behind the door.
var roses = [][2]float64{{240, 210}, {1080, 150}, {760, 640}, {180, 820}, {1380, 780}}

// rhumbs draws the lines of a portolan chart: from each rose sixteen winds.
func rhumbs() string {
	var path strings.Builder
	for _, rose := range roses {
		for wind := range 16 {
			angle := float64(wind) * math.Pi / 8
			fmt.Fprintf(&path, "M%.0f %.0fl%.0f %.0f", rose[0], rose[1], 1800*math.Cos(angle), 1800*math.Sin(angle))
		}
	}
	return path.String()
}
