package demodata

import (
	"fmt"
	"math/rand/v2"
)

// The streets are made up; the towns and their postal codes are real.
var (
	streets = []string{
		"Tjørnehegnsvej", "Lærkespurvestien", "Gamle Tovværksgade", "Kvistbuen",
		"Sømandshvilet", "Østre Pakhusgang", "Ålekistevænget", "Klokkestøberstræde",
		"Rugskelsvej", "Vestre Kranvej", "Humlemarksgade", "Skibstømrerpladsen",
		"Mosekonebakken", "Nordre Saltgade", "Blåklokkekrogen", "Færgemandens Gyde",
	}
	towns = []string{
		"1620 København V", "2100 København Ø", "2630 Taastrup", "3000 Helsingør",
		"4000 Roskilde", "4600 Køge", "5000 Odense C", "5700 Svendborg",
		"6000 Kolding", "6700 Esbjerg", "7100 Vejle", "8000 Aarhus C",
		"8600 Silkeborg", "8900 Randers C", "9000 Aalborg", "9990 Skagen",
	}
	floors = []string{"st. th.", "1. tv.", "2. th.", "kl."}
)

// address generates an address, sometimes with a floor.
func address(r *rand.Rand) string {
	street := fmt.Sprintf("%s %d", pick(r, streets), 1+r.IntN(140))
	if r.IntN(3) == 0 {
		street += ", " + pick(r, floors)
	}
	return street + ", " + pick(r, towns)
}

func pick(r *rand.Rand, from []string) string {
	return from[r.IntN(len(from))]
}
