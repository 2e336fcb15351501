package erasures

// Erase is erase.
var Erase = erase
