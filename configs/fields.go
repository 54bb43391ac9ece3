package configs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/internal/usererr"

	"github.com/BurntSushi/toml"
)

// field is one setting: its key and its variable.
type field struct {
	key   string
	value reflect.Value
}

// fields are the settings of a struct, in its order.
type fields []field

// fieldsOf lists the settings of a struct of tables.
func fieldsOf(s Settings) (fs fields) {
	for field, table := range reflect.ValueOf(s).Elem().Fields() {
		if table.Kind() != reflect.Slice { // an array of tables, see listsOf
			fs = append(fs, fieldsIn(table, field.Tag.Get("toml"))...)
		}
	}
	return fs
}

// fieldsIn lists the settings of a table, whose name their keys begin with.
func fieldsIn(table reflect.Value, name string) (fs fields) {
	for f, value := range table.Fields() {
		fs = append(fs, field{name + "." + f.Tag.Get("toml"), value})
	}
	return fs
}

// list is an array of tables: its name and its slice of structs.
type list struct {
	name  string
	value reflect.Value
}

// withDefaults is implemented by the elements of an array of tables that have defaults.
type withDefaults interface{ defaults() any }

// listsOf lists the arrays of tables of a struct of tables.
func listsOf(s Settings) (ls []list) {
	for field, value := range reflect.ValueOf(s).Elem().Fields() {
		if value.Kind() == reflect.Slice {
			ls = append(ls, list{field.Tag.Get("toml"), value})
		}
	}
	return ls
}

// grow appends a table with its defaults and returns its fields.
func (l list) grow() fields {
	item := reflect.New(l.value.Type().Elem()).Elem()
	if d, ok := item.Interface().(withDefaults); ok {
		item.Set(reflect.ValueOf(d.defaults()))
	}
	l.value.Set(reflect.Append(l.value, item))
	return l.item(l.value.Len() - 1)
}

// item returns the fields of a table.
func (l list) item(i int) fields { return fieldsIn(l.value.Index(i), itemName(l.name, i)) }

// itemName returns the name of the i-th of an array of tables, as player[1] for i = 0.
func itemName(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i+1) }

// itemKey returns the name of a key in the i-th of an array of tables, as player[1].name
// for i = 0.
func itemKey(list string, i int, name string) string { return itemName(list, i) + "." + name }

func (fs fields) find(key string) (field, bool) {
	for _, f := range fs {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

func (fs fields) keys() []string {
	keys := make([]string, len(fs))
	for i, f := range fs {
		keys[i] = f.key
	}
	return keys
}

// near returns the key that another one was probably meant to be, or one of its name in another table, or "".
func (fs fields) near(key string) string {
	keys, name := fs.keys(), key[strings.LastIndexByte(key, '.')+1:]
	if near := usererr.Meant(key, keys); near != "" {
		return near
	}
	i := slices.IndexFunc(append(keys, "."+name), func(k string) bool { return strings.HasSuffix(k, "."+name) })
	return append(keys, "")[i]
}

func (fs fields) isTable(name string) bool {
	return slices.ContainsFunc(fs, func(f field) bool { return strings.HasPrefix(f.key, name+".") })
}

// isText reports whether the setting is written as a text in TOML.
func (f field) isText() bool { return f.value.Kind() == reflect.String || f.isDuration() }

func (f field) isDuration() bool { return f.value.Type() == reflect.TypeFor[time.Duration]() }

// assign sets the field to a value of the TOML decoder.
func (f field) assign(value any) error {
	switch v := value.(type) {
	case string:
		if f.isDuration() {
			d, err := time.ParseDuration(v)
			if err != nil {
				break
			}
			if d < 0 {
				return errors.New("is negative")
			}
			f.value.SetInt(int64(d))
			return nil
		}
		if f.isText() {
			f.value.SetString(v)
			return nil
		}
	case bool:
		if f.value.Kind() == reflect.Bool {
			f.value.SetBool(v)
			return nil
		}
	case []any:
		if f.value.Kind() == reflect.Slice {
			return f.assignList(v)
		}
	case int64:
		if f.value.CanUint() && v >= 0 && !f.value.OverflowUint(uint64(v)) {
			f.value.SetUint(uint64(v))
			return nil
		}
		if f.value.CanFloat() {
			f.value.SetFloat(float64(v))
			return nil
		}
	case float64:
		if f.value.CanFloat() {
			f.value.SetFloat(v)
			return nil
		}
	}
	if text, ok := value.(string); ok {
		value = strconv.Quote(text)
	}
	return fmt.Errorf("%v is not %s", value, f.wants())
}

// assignList sets a field that is a list.
func (f field) assignList(values []any) error {
	if len(values) == 0 {
		f.value.SetZero()
		return nil
	}
	list := reflect.MakeSlice(f.value.Type(), len(values), len(values))
	for i, v := range values {
		if err := (field{f.key, list.Index(i)}).assign(v); err != nil {
			return fmt.Errorf("value %d: %w", i+1, err)
		}
	}
	f.value.Set(list)
	return nil
}

// wants describes the valid values of the field.
func (f field) wants() string {
	switch {
	case f.isDuration():
		return `a duration such as "500ms" or "10s"`
	case f.isText():
		return `a text in "quotes"`
	case f.value.Kind() == reflect.Bool:
		return "true or false"
	case f.value.Kind() == reflect.Slice:
		return "a list in [brackets], each " + field{value: reflect.Zero(f.value.Type().Elem())}.wants()
	case f.value.CanUint():
		return "a whole number from 0 up"
	default:
		return "a number"
	}
}

// Text returns the settings as a TOML file with all values.
func Text(s Settings) string {
	var b strings.Builder
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(s); err != nil {
		panic(err) // a struct of tables of plain values can always be encoded
	}
	return b.String()
}
