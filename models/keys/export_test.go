package keys

// HoldBcrypts takes every place for a bcrypt until release is called, so that a key
// whose row was read waits.
func (k *Verifier) HoldBcrypts() (release func()) {
	for range cap(k.bcrypts) {
		k.bcrypts <- struct{}{}
	}
	return func() {
		for range cap(k.bcrypts) {
			<-k.bcrypts
		}
	}
}
