package organizations

// Erase is erase.
var Erase = erase
