package ecmascript

// expectations keeps the tests that expect an error.
func (f *file) expectations() {}
