package fault

// MarshalText prints the kind's name, for JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name; the error is a *KindError.
func (k *Kind) UnmarshalText(text []byte) error {
	for known := Stall; known <= Flip; known++ {
		if known.String() == string(text) {
			*k = known
			return nil
		}
	}
	return &KindError{Name: string(text)}
}
