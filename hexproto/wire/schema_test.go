package wire

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the schema")

const (
	schemaFile = "../../docs/hexproto.schema.json"
	docsFile   = "../../docs/hexproto.md"
)

// object is a JSON object of a schema.
type object map[string]any

// shapes makes a schema of Go types; structs with a name are definitions.
type shapes object

func (s shapes) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return object{}
		}
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Struct:
		if _, ok := s[t.Name()]; !ok {
			s[t.Name()] = nil // for types within themselves
			s[t.Name()] = s.fields(t, "")
		}
		return object{"$ref": "#/$defs/" + t.Name()}
	}
	panic("no shape for " + t.String())
}

// fields returns the schema of a struct, with its type of message if it has one.
func (s shapes) fields(t reflect.Type, kind string) object {
	properties, required := object{}, []string{}
	if kind != "" {
		properties["type"] = object{"const": kind}
		properties["id"] = object{"type": "integer", "minimum": 1}
		required = append(required, "type")
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := s.of(f.Type)
		maps.Copy(property, bounds[t.Name()+"."+name])
		if elements := bounds[t.Name()+"."+name+"[]"]; elements != nil {
			maps.Copy(property["items"].(object), elements)
		}
		properties[name] = property
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

func (s shapes) direction(d Direction) []object {
	var refs []object
	for _, kind := range sorted(d) {
		name := "message " + kind
		s[name] = s.fields(d[kind], kind)
		refs = append(refs, object{"$ref": "#/$defs/" + name})
	}
	return refs
}

func schema(t *testing.T) []byte {
	t.Helper()
	s := shapes{}
	whole := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "hexproto, version 1",
	}
	s.of(reflect.TypeFor[Summary]()) // answers of HTTP
	s.of(reflect.TypeFor[Profile]())
	s.of(reflect.TypeFor[Invitation]())
	s["from client"] = object{"oneOf": s.direction(FromClient)}
	s["from server"] = object{"oneOf": s.direction(FromServer)}
	whole["anyOf"] = []object{{"$ref": "#/$defs/from client"}, {"$ref": "#/$defs/from server"}}
	whole["$defs"] = s
	text, err := json.MarshalIndent(whole, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func TestSchemaIsOfTheseTypes(t *testing.T) {
	want := schema(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("go test ./hexproto/wire -update rewrites it (-want +got):\n%s", diff)
	}
}

// example is an example of the page.
type example struct {
	heading  string
	frame    []byte
	ofServer bool
}

// examples returns the examples of the page, with their names.
func examples(t *testing.T) []example {
	t.Helper()
	page, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	heading, ofServer := "", false
	for block := range strings.SplitSeq(string(page), "\n") {
		switch {
		case block == "## Messages of the server":
			ofServer = true
		case strings.HasPrefix(block, "### "):
			heading = strings.Fields(block)[1]
		case block == "## HTTP":
			return all
		case strings.HasPrefix(block, "{"):
			all = append(all, example{heading, []byte(block), ofServer})
		}
	}
	return all
}

// compiled returns a part of the schema, ready to validate.
func compiled(t *testing.T, part string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("hexproto.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("hexproto.json#/$defs/" + strings.ReplaceAll(part, " ", "%20"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid(t *testing.T, s *jsonschema.Schema, frame []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(frame))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// Every message has an example; each is the message that its heading says,
// without a field that the type does not have, and as the codec writes it.
func TestExamples(t *testing.T) {
	schemas := map[bool]*jsonschema.Schema{false: compiled(t, "from client"), true: compiled(t, "from server")}
	missing := map[bool]Direction{false: FromClient.copy(), true: FromServer.copy()}
	for _, e := range examples(t) {
		ofServer := e.ofServer
		from := FromClient
		if ofServer {
			from = FromServer
		}
		id, m, err := from.Decode(e.frame)
		if err != nil {
			t.Errorf("%s: %v", e.heading, err)
			continue
		}
		if Type(m) != e.heading {
			t.Errorf("the example of %s is a %s", e.heading, Type(m))
		}
		delete(missing[ofServer], e.heading)
		if err := valid(t, schemas[ofServer], e.frame); err != nil {
			t.Errorf("%s: %v", e.heading, err)
		}
		again, err := Encode(id, m)
		if err != nil {
			t.Errorf("%s: %v", e.heading, err)
		}
		if diff := cmp.Diff(tree(t, e.frame), tree(t, again)); diff != "" {
			t.Errorf("%s: read and written again (-example +again):\n%s", e.heading, diff)
		}
	}
	for _, d := range missing {
		for kind := range d {
			t.Errorf("%s has no example", kind)
		}
	}
}

// The answers of HTTP on the page are of their types, and the schema has them.
func TestHTTPExamples(t *testing.T) {
	page, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "\n## HTTP\n")
	if !ok {
		t.Fatal("no section on HTTP")
	}
	examples := []struct {
		name  string
		value any
	}{{"Brief", &[]Brief{}}, {"Summary", &Summary{}}, {"Profile", &Profile{}}, {"Invitation", &Invitation{}}}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "{") && !strings.HasPrefix(line, "[{") {
			continue
		}
		if len(examples) == 0 {
			t.Fatalf("one too many: %s", line)
		}
		e := examples[0]
		examples = examples[1:]
		if err := json.Unmarshal([]byte(line), e.value); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
		again, err := json.Marshal(e.value)
		if err != nil || string(again)+"\n" != line {
			t.Errorf("%s is read and written again as\n%s, %v", e.name, again, err)
		}
		text := strings.Trim(line, "[]\n") // the element of a list
		if err := valid(t, compiled(t, e.name), []byte(text)); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
	if len(examples) > 0 {
		t.Errorf("no example of %s", examples[0].name)
	}
}

// tree is a frame without zero values: false, 0 and empty texts.
func tree(t *testing.T, frame []byte) any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(frame, &v); err != nil {
		t.Fatal(err)
	}
	for key, value := range v {
		if value == "" || value == false {
			delete(v, key)
		}
	}
	return v
}

// Every bound is that of a field.
func TestBounds(t *testing.T) {
	text := string(schema(t))
	fields := map[string]bool{}
	types := []reflect.Type{reflect.TypeFor[Summary](), reflect.TypeFor[Profile](), reflect.TypeFor[Invitation]()}
	for _, d := range []Direction{FromClient, FromServer} {
		types = slices.AppendSeq(types, maps.Values(d))
	}
	for len(types) > 0 {
		of := types[0]
		types = types[1:]
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Array ||
			of.Kind() == reflect.Map {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields[of.Name()+"."+name], fields[of.Name()+"."+name+"[]"] = true, true
			types = append(types, f.Type)
		}
	}
	for name := range bounds {
		if !fields[name] {
			t.Errorf("%s is no field", name)
		}
	}
	if strings.Contains(text, "null") {
		t.Error("a bound has no value")
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiled(t, "from client")
	for name, frame := range map[string]string{
		"no type":           `{"game":"g"}`,
		"an unknown type":   `{"type":"castle"}`,
		"a missing field":   `{"type":"play","game":"g","turn":1}`,
		"a field of a kind": `{"type":"play","game":"g","turn":"1","move":"a1"}`,
		"a server's":        `{"type":"pong","at":1,"now":2}`,
		"a long name":       `{"type":"hello","version":1,"name":"` + strings.Repeat("x", 99) + `"}`,
		"another version":   `{"type":"hello","version":2}`,
		"an unknown offer":  `{"type":"offer","game":"g","offer":"beer"}`,
		"an unknown reason": `{"type":"decline","challenge":"c","reason":"ugly"}`,
		"a negative turn":   `{"type":"play","game":"g","turn":-3,"move":"a1"}`,
	} {
		if valid(t, s, []byte(frame)) == nil {
			t.Errorf("%s is valid: %s", name, frame)
		}
	}
	if err := valid(t, s, []byte(`{"type":"ping","at":1,"later":true}`)); err != nil {
		t.Errorf("an unknown field is not ignored: %v", err)
	}
}

func (d Direction) copy() Direction {
	c := Direction{}
	for kind, t := range d {
		c[kind] = t
	}
	return c
}
