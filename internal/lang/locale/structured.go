package locale

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"

	"github.com/magiconair/properties"
	"go.yaml.in/yaml/v3"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxDepth bounds nested keys.
const maxDepth = 20

// readYAML reads texts by their path of keys. A first key that names a locale is no part of the path.
func readYAML(f *raise.Facts, src []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return err
	}
	if len(doc.Content) == 1 {
		tree(f, doc.Content[0], "", 0)
	}
	return nil
}

func tree(f *raise.Facts, n *yaml.Node, key string, depth int) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		add(f, key, n.Value, n.Line)
	}
	if n.Kind != yaml.MappingNode || depth > maxDepth {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		tree(f, n.Content[i+1], under(key, n.Content[i].Value, depth), depth+1)
	}
}

// under is the path of a key below another.
func under(key, name string, depth int) string {
	switch {
	case depth == 0 && tag.MatchString(name):
		return ""
	case key == "":
		return name
	}
	return key + "." + name
}

// readJSON reads texts by their path of keys; of an extension's {"key": {"message": …}} the message is the text of the key too.
func readJSON(f *raise.Facts, src []byte) error {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	lines := &lineCounter{src: src, line: 1}
	var value func(key string, depth int) error
	value = func(key string, depth int) error {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if depth > maxDepth {
			return errors.New("nested too deep")
		}
		switch t := t.(type) {
		case string:
			add(f, key, t, lines.at(d.InputOffset()))
		case json.Delim:
			for d.More() {
				if t == '[' { // of no single text
					var skipped json.RawMessage
					if err := d.Decode(&skipped); err != nil {
						return err
					}
					continue
				}
				name, err := d.Token()
				if err != nil {
					return err
				}
				if err := value(under(key, name.(string), depth), depth+1); err != nil {
					return err
				}
			}
			_, err = d.Token() // the closing one
		}
		return err
	}
	return value("", 0)
}

// lineCounter turns offsets that only grow into lines.
type lineCounter struct {
	src      []byte
	line, to int
}

func (l *lineCounter) at(offset int64) int {
	l.line += bytes.Count(l.src[l.to:offset], []byte("\n"))
	l.to = int(offset)
	return l.line
}

func readProperties(f *raise.Facts, src []byte) error {
	loader := properties.Loader{Encoding: properties.UTF8, DisableExpansion: true}
	p, err := loader.LoadBytes(src)
	if err != nil {
		return err
	}
	for _, key := range p.Keys() {
		text, _ := p.Get(key)
		if key != "" && text != "" {
			f.Values = append(f.Values, value(key, text))
		}
	}
	return nil
}

// readResx reads <data name="key"><value>text</value></data>; what has a type or is encoded is no text.
func readResx(f *raise.Facts, src []byte) error {
	d := xml.NewDecoder(bytes.NewReader(src))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // decoded already
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "data" {
			continue
		}
		line, _ := d.InputPos()
		var data struct {
			Name  string `xml:"name,attr"`
			Type  string `xml:"type,attr"`
			Mime  string `xml:"mimetype,attr"`
			Value string `xml:"value"`
		}
		if err := d.DecodeElement(&data, &start); err != nil {
			return err
		}
		if data.Type == "" && data.Mime == "" && data.Name != "" && data.Value != "" {
			v := value(data.Name, data.Value)
			v.Line = line
			f.Values = append(f.Values, v)
		}
	}
}
