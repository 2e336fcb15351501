package sandbox

// The statuses a company can have.
const (
	created    = "CREATED"
	registered = "REGISTERED"
	modified   = "MODIFIED"
	terminated = "TERMINATED"
	rejected   = "REJECTED"
)

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
var sharedShop = shop{"Fælleskøbmanden ved Kajen ApS", medium, 145, registered}

// nordlysShops are the companies that only Nordlys Butikker has.
var nordlysShops = []shop{
	{"Nordlys Varehus Vest A/S", large, 285, registered},
	{"Nordlys Varehus Øst A/S", large, 270, registered},
	{"Bageriet Tusind Krummer ApS", medium, 64, registered},
	{`Caféen "Den Skæve Kop" ApS`, medium, 92, registered},
	{"Brødrene Øksendahl, Isenkram og Farver I/S", medium, 310, registered},
	{"Cykelsmeden Skæv & Lige ApS", small, 740, modified},
	{"Det Blå Garnhjørne v/Inger Tvistholt", small, 230, registered},
	{"Papirsvalen Bøger og Papir ApS", medium, 175, registered},
	{"Hæl & Snude, Sko og Tasker ApS", medium, 560, registered},
	{"Ostelageret Hul i Hul ApS", small, 160, registered},
	{"Møbelhuset Fire Ben A/S", medium, 3400, registered},
	{"Nordlys Elektrisk ApS", large, 980, registered},
	{"Urmager Tiktorp & Datter ApS", small, 890, terminated},
	{"Æblegaarden Frugt & Grønt I/S", medium, 85, registered},
	{"Gartneri Syv Spader ApS", small, 210, registered},
	{"Tøjværket Nål og Knap ApS", medium, 480, registered},
	{"Børnehjørnet Klods & Bamse ApS", small, 265, modified},
	{"Vinkælderen Tre Propper ApS", medium, 340, registered},
	{"Smørrebrød hos Fru Rugholm", small, 135, registered},
	{"Brilleborg Optik ApS", small, 1900, registered},
	{"Isboden Kold Næse", small, 58, rejected},
	{"Dyrehandler Pelsmark & Finne ApS", small, 290, registered},
	{"Nordlys Byggemarked A/S", large, 420, registered},
	{"Lampelageret Halvmørke ApS", small, 650, terminated},
	{"Køkkenkompagniet Grydestad A/S", medium, 720, modified},
	{"Teltpladsen Friluft & Grej ApS", medium, 610, registered},
	{"Pladebiksen 33 Omdrejninger", small, 195, registered},
	{"Hatteriet Høj & Puld ApS", small, 430, registered},
	{"Konditori Marcipanstien ApS", medium, 78, registered},
	{"Slagter Ravnkilde & Søn, eftf. ApS", medium, 225, registered},
	{"Rammemager Gylden Kant", small, 520, created},
	{"Sæbehuset Boble & Børste ApS", small, 150, registered},
	{"Tæppeland Uldum-Frynse A/S", small, 2600, terminated},
	{"Nordlys Netbutik ApS", large, 365, modified},
	{"Kaffebrænderiet Sorte Bønne ApS", medium, 110, registered},
	{"Fodterapi og Indlæg Stortå", small, 450, created},
	{"Skakbrættet Spil & Hobby ApS", small, 245, registered},
}

// havnensShops are the companies that only Havnens Handel has.
var havnensShops = []shop{
	{"Havnens Fiskehal ApS", large, 190, registered},
	{"Røgeriet Gyldne Sild ApS", medium, 165, registered},
	{"Skibsprovianten Anker, Tov & Tjære A/S", large, 870, registered},
	{`Kroen "Det Glade Søpindsvin" ApS`, large, 320, registered},
	{"Bådbygger Kølholt & Spant I/S", small, 4200, registered},
	{"Sejlmageri Fokkestad ApS", small, 2800, modified},
	{"Isværftet Kold Køl ApS", medium, 62, registered},
	{"Havnegrillen Mågens Hjørne", medium, 105, registered},
	{"Dykkercenter Dyb Ånde ApS", small, 960, registered},
	{"Galleri Saltvand og Solskin ApS", small, 1350, terminated},
	{"Østersbaren Perlemor ApS", medium, 410, registered},
	{"Kajakudlejning Padle-Poul", small, 280, registered},
	{"Strandkiosken Sand i Skoen ApS", small, 74, terminated},
	{"Færgecaféen Over og Tilbage ApS", medium, 88, registered},
	{"Marinamotor Skruegaard ApS", medium, 1650, modified},
	{"Tangfabrikken Grøn Bølge ApS", small, 215, created},
	{"Hotel Det Fortøjede Fyrskib A/S", medium, 1480, registered},
	{"Netbinder Maskeby v/Åse Knude", small, 330, registered},
	{"Lystfiskeren Krog & Line ApS", small, 375, registered},
	{"Muslingebåden Blåskæl", small, 240, rejected},
	{"Bageriet Skibskiksen ApS", small, 59, registered},
}
