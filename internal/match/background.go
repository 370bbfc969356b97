package match

import "strings"

// Background: how rare words are in messages at large. A catalog of a small repository says little about that: where each word
// stands once, "the" would count like "deflate". So each catalog is read as if backgroundSize further templates stood in it, in
// which common words have the shares below and every other word the share 1/2^unlisted.
const (
	backgroundSize = 2000
	unlisted       = 13
)

// background lists words by the octave of their share: those at 5 stand in about one of 2^5 messages. Counted over the templates of
// the standard libraries of Go 1.26 and Python 3.11, as the geometric mean of both; words of one of them alone are left out.
func background() map[uint32]int {
	octaves := map[uint32]int{}
	for octave, words := range map[int]string{
		4: `a be expected for got in is not of to`,
		5: `0 1 and at but cannot error failed file found invalid must no on or returned should t the type with`,
		6: `3 Expected after an argument bad bytes called can data did does empty from has have line match missing module name non
			only read return set string test too unexpected unknown use value was`,
		7: `2 already are as b by call closed code contain could didn directory encoding end field find foo function header instead
			internal it key length list method mode number object one out output package parse path range requires s server size
			start supported than time true unsupported version when write wrong x zero`,
		8: `4 5 8 C EOF Error Failed Got Invalid No The Unexpected address allowed arguments attribute available bar been before
			both buffer build byte c character command contains context count create d different doesn entry equal errors event
			events exist fail false files first flag format get hash http import index input int integer into large least len long
			loop many message mismatch more multiple n negative new offset open option os parameter pattern position prefix process
			r reading received required response result root run running same section shouldn source specified state support
			template text that this unable used using valid values while without y`,
		9: `0x 10 32 42 6 A B Bad Close Content File HTTP ID String TLS Test This Type URL Wrong absolute all any archive arg args
			base binary bit block body broken built calls certificate changed check child class close column comment compile
			connection content conversion current decode default defined dir do don dst duplicate during e element elements encode
			encoded escape exceeds exec exists exit expect expression extension f failure fields filename flags float form frame
			given group handle handler host html i id if illegal implemented info inside interface keys kind level limit link
			literal load local main map may memory modules msg named names need net never next node opening operation order other
			outside p parsing part passed pipe point protocol public quoted reference register relative removed round second see
			sequence short signal signature single specify stack started status stdout still stream strings succeeded syntax syscall
			system tag target testing tests timeout times token two types unexpectedly unrecognized url user v variable w which
			width work writing z zip`,
	} {
		for _, w := range strings.Fields(words) {
			octaves[finish(wordHash(w))] = octave
		}
	}
	return octaves
}

// wordHash is the hash of a word before it is finished.
func wordHash(w string) uint32 {
	hash := uint32(offset)
	for i := range len(w) {
		hash = (hash ^ uint32(w[i])) * prime
	}
	return hash
}
