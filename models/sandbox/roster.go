package sandbox

import "dispo/models/terms"

// size is how much a company sells by card.
type size struct {
	dispositionsPerWeek    int
	paymentsPerDisposition int64
}

var (
	small  = size{dispositionsPerWeek: 5, paymentsPerDisposition: 14}
	medium = size{dispositionsPerWeek: 13, paymentsPerDisposition: 38}
	large  = size{dispositionsPerWeek: 38, paymentsPerDisposition: 95}
)

// shop is the part of a company that is not random.
type shop struct {
	name string
	size size
	// ticketKroner is the typical amount of one payment.
	ticketKroner int64
	status       string
}

// sharedShop is a company of both organizations.
var sharedShop = shop{"Fælleskøbmanden ved Kajen ApS", medium, 145, terms.Registered}

// nordlysShops are the companies that only Nordlys Butikker has.
var nordlysShops = []shop{
	{"Nordlys Varehus Vest A/S", large, 285, terms.Registered},
	{"Nordlys Varehus Øst A/S", large, 270, terms.Registered},
	{"Bageriet Tusind Krummer ApS", medium, 64, terms.Registered},
	{`Caféen "Den Skæve Kop" ApS`, medium, 92, terms.Registered},
	{"Brødrene Øksendahl, Isenkram og Farver I/S", medium, 310, terms.Registered},
	{"Cykelsmeden Skæv & Lige ApS", small, 740, terms.Modified},
	{"Det Blå Garnhjørne v/Inger Tvistholt", small, 230, terms.Registered},
	{"Papirsvalen Bøger og Papir ApS", medium, 175, terms.Registered},
	{"Hæl & Snude, Sko og Tasker ApS", medium, 560, terms.Registered},
	{"Ostelageret Hul i Hul ApS", small, 160, terms.Registered},
	{"Møbelhuset Fire Ben A/S", medium, 3400, terms.Registered},
	{"Nordlys Elektrisk ApS", large, 980, terms.Registered},
	{"Urmager Tiktorp & Datter ApS", small, 890, terms.Terminated},
	{"Æblegaarden Frugt & Grønt I/S", medium, 85, terms.Registered},
	{"Gartneri Syv Spader ApS", small, 210, terms.Registered},
	{"Tøjværket Nål og Knap ApS", medium, 480, terms.Registered},
	{"Børnehjørnet Klods & Bamse ApS", small, 265, terms.Modified},
	{"Vinkælderen Tre Propper ApS", medium, 340, terms.Registered},
	{"Smørrebrød hos Fru Rugholm", small, 135, terms.Registered},
	{"Brilleborg Optik ApS", small, 1900, terms.Registered},
	{"Isboden Kold Næse", small, 58, terms.Rejected},
	{"Dyrehandler Pelsmark & Finne ApS", small, 290, terms.Registered},
	{"Nordlys Byggemarked A/S", large, 420, terms.Registered},
	{"Lampelageret Halvmørke ApS", small, 650, terms.Terminated},
	{"Køkkenkompagniet Grydestad A/S", medium, 720, terms.Modified},
	{"Teltpladsen Friluft & Grej ApS", medium, 610, terms.Registered},
	{"Pladebiksen 33 Omdrejninger", small, 195, terms.Registered},
	{"Hatteriet Høj & Puld ApS", small, 430, terms.Registered},
	{"Konditori Marcipanstien ApS", medium, 78, terms.Registered},
	{"Slagter Ravnkilde & Søn, eftf. ApS", medium, 225, terms.Registered},
	{"Rammemager Gylden Kant", small, 520, terms.Created},
	{"Sæbehuset Boble & Børste ApS", small, 150, terms.Registered},
	{"Tæppeland Uldum-Frynse A/S", small, 2600, terms.Terminated},
	{"Nordlys Netbutik ApS", large, 365, terms.Modified},
	{"Kaffebrænderiet Sorte Bønne ApS", medium, 110, terms.Registered},
	{"Fodterapi og Indlæg Stortå", small, 450, terms.Created},
	{"Skakbrættet Spil & Hobby ApS", small, 245, terms.Registered},
}

// havnensShops are the companies that only Havnens Handel has.
var havnensShops = []shop{
	{"Havnens Fiskehal ApS", large, 190, terms.Registered},
	{"Røgeriet Gyldne Sild ApS", medium, 165, terms.Registered},
	{"Skibsprovianten Anker, Tov & Tjære A/S", large, 870, terms.Registered},
	{`Kroen "Det Glade Søpindsvin" ApS`, large, 320, terms.Registered},
	{"Bådbygger Kølholt & Spant I/S", small, 4200, terms.Registered},
	{"Sejlmageri Fokkestad ApS", small, 2800, terms.Modified},
	{"Isværftet Kold Køl ApS", medium, 62, terms.Registered},
	{"Havnegrillen Mågens Hjørne", medium, 105, terms.Registered},
	{"Dykkercenter Dyb Ånde ApS", small, 960, terms.Registered},
	{"Galleri Saltvand og Solskin ApS", small, 1350, terms.Terminated},
	{"Østersbaren Perlemor ApS", medium, 410, terms.Registered},
	{"Kajakudlejning Padle-Poul", small, 280, terms.Registered},
	{"Strandkiosken Sand i Skoen ApS", small, 74, terms.Terminated},
	{"Færgecaféen Over og Tilbage ApS", medium, 88, terms.Registered},
	{"Marinamotor Skruegaard ApS", medium, 1650, terms.Modified},
	{"Tangfabrikken Grøn Bølge ApS", small, 215, terms.Created},
	{"Hotel Det Fortøjede Fyrskib A/S", medium, 1480, terms.Registered},
	{"Netbinder Maskeby v/Åse Knude", small, 330, terms.Registered},
	{"Lystfiskeren Krog & Line ApS", small, 375, terms.Registered},
	{"Muslingebåden Blåskæl", small, 240, terms.Rejected},
	{"Bageriet Skibskiksen ApS", small, 59, terms.Registered},
}
