package main

import (
	"hash/crc32"
	"math/rand/v2"

	"dispo/models"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// generateKeys returns well-formed keys that are not stored. Package models creates
// keys only with their bcrypt hashes, which would take minutes for this many.
func generateKeys(count int) ([]string, error) {
	keys := make([]string, count)
	for i := range keys {
		keys[i] = generateKey()
		if _, err := models.ParseKey(keys[i]); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// A key's lookup id is key[lookupStart:lookupEnd].
const lookupStart, lookupEnd = 6, 18

func generateKey() string {
	key := append(appendRandom([]byte("dispo_"), 12), '_')
	key = appendRandom(key, 32)
	rest := crc32.ChecksumIEEE(key)
	var checksum [6]byte
	for i := range checksum {
		checksum[len(checksum)-1-i] = base62[rest%62]
		rest /= 62
	}
	return string(append(key, checksum[:]...))
}

func appendRandom(text []byte, length int) []byte {
	for range length {
		text = append(text, base62[rand.IntN(len(base62))])
	}
	return text
}
