// Kubernetes' own reader of manifests beside EDL's: yaml make COUNT SEED; yaml compare LINES ANSWERS. A line is a text as a JSON string.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	if len(os.Args) != 4 {
		fail("it is used as yaml make COUNT SEED, or yaml compare LINES ANSWERS")
	}
	if os.Args[1] == "make" {
		count, seed := number(os.Args[2]), number(os.Args[3])
		w := &writer{rand.New(rand.NewSource(int64(seed)))}
		for range count {
			line, _ := json.Marshal(w.text())
			fmt.Println(string(line))
		}
		return
	}
	compare(lines(os.Args[2]), lines(os.Args[3]))
}

type writer struct{ random *rand.Rand }

func (w *writer) pick(texts ...string) string { return texts[w.random.Intn(len(texts))] }

func (w *writer) one(in int) bool { return w.random.Intn(in) == 0 }

// text makes a text of several documents, half of them with a tab at any place.
func (w *writer) text() string {
	var text strings.Builder
	json := w.one(3)
	for i := range 1 + w.random.Intn(3) {
		if json {
			text.WriteString(w.json() + w.pick("", "\n", "\t", "\n\n", "\r\n"))
			continue
		}
		if i > 0 || w.one(4) {
			text.WriteString("---" + w.pick("", "\t", " # next", "\t# next") + "\n")
		}
		switch w.random.Intn(8) {
		case 0:
			text.WriteString(w.pick("", "# nothing\n", "\n"))
		case 1:
			text.WriteString(w.flow(w.object(), true) + w.end())
		default:
			text.WriteString(w.block(w.object(), 0))
		}
	}
	made := text.String()
	if w.one(6) {
		return strings.ReplaceAll(w.tab(made, json), "\n", "\r\n")
	}
	return w.tab(made, json)
}

// tab adds a tab at any place, or none.
func (w *writer) tab(made string, json bool) string {
	if w.one(2) {
		return made
	}
	at := w.random.Intn(len(made) + 1)
	if at > 0 && strings.HasPrefix(made[at:], "-") {
		// Of a document without its separator, Kubernetes drops what is behind its first object.
		return made
	}
	if json {
		// Elsewhere it may be in a text, and where that makes YAML of JSON, Kubernetes drops what is behind the first object.
		at += strings.IndexAny(made[at:], "}],") + 1
	} else if w.one(5) {
		return "\ufeff" + made
	}
	return made[:at] + "\t" + made[at:]
}

// A field of a map, which keeps its place, and a map.
type field struct {
	key   string
	value any
}
type fields []field

// object makes a resource, or a list of some.
func (w *writer) object() fields {
	object := fields{{"apiVersion", "kubeflow.org/v1"}, {"kind", w.pick("TFJob", "MPIJob")}}
	if w.one(3) {
		object[1].value = w.pick("List", "TFJobList", "Jobs")
		var items []any
		for range w.random.Intn(3) {
			if object[1].value != "List" && w.one(2) {
				items = append(items, fields{{"spec", w.node(2)}})
			} else {
				items = append(items, fields{{"kind", "TFJob"}, {"apiVersion", "a/b"}, {"spec", w.node(2)}})
			}
		}
		return append(object, field{"items", items})
	}
	return append(object, field{"metadata", w.node(2)}, field{"spec", w.node(3)})
}

func (w *writer) node(depth int) any {
	if depth == 0 || w.one(3) {
		return w.random.Intn(13)
	}
	if w.one(3) {
		var items []any
		for range w.random.Intn(3) {
			items = append(items, w.node(depth-1))
		}
		return items
	}
	var made fields
	for i := range w.random.Intn(4) {
		made = append(made, field{w.pick("a", "it's", "b c", "d#", "e-f", "g:h") + strconv.Itoa(i), w.node(depth - 1)})
	}
	return made
}

var scalars = []string{"2", "true", "mnist", "it's", "a\tb", "a  b#c", `"a	b"`, `"a # b: {"`, "'a	''b'", "null", "x:y", "1.5", `"a\	b"`}

// blank separates tokens within a line.
func (w *writer) blank() string { return w.pick(" ", " ", "\t", " \t", "\t\t ") }

// end ends a line that may have a comment.
func (w *writer) end() string { return w.pick("", "", " ", "\t", " # c\td", "\t# it's {") + "\n" }

func (w *writer) block(node any, indent int) string {
	var text strings.Builder
	margin := strings.Repeat(" ", indent)
	if made, ok := node.(fields); ok {
		for _, each := range made {
			key := w.pick(each.key, each.key, `"`+each.key+`"`)
			text.WriteString(margin + key + w.pick("", "", " ", "\t") + ":" + w.value(each.value, indent))
		}
		return text.String()
	}
	for _, each := range node.([]any) {
		if made, ok := each.(fields); ok && len(made) > 0 && w.one(2) {
			text.WriteString(margin + "- " + strings.TrimPrefix(w.block(made, indent+2), margin+"  "))
		} else {
			text.WriteString(margin + "-" + w.value(each, indent))
		}
	}
	return text.String()
}

// value makes what follows a colon or dash, with the end of its last line.
func (w *writer) value(node any, indent int) string {
	inner := strings.Repeat(" ", indent+1+w.random.Intn(3))
	if text, ok := node.(string); ok {
		return w.blank() + text + w.end()
	}
	if index, ok := node.(int); ok {
		switch w.random.Intn(8) {
		case 0:
			return w.blank() + w.pick("|", ">", "|-", ">+", "|2") + w.end() + strings.Repeat(" ", indent+2) + w.pick("a\n", "\ta: b\n", "# a\tb\n") +
				w.pick("", strings.Repeat(" ", indent+2)+"c:\td\n", "\n", "\t\n")
		case 1:
			return w.blank() + "a" + w.end() + w.pick("", inner+w.pick("", "\t")+"b"+w.end())
		case 2:
			return w.end() + inner + scalars[index] + w.end()
		}
		return w.blank() + scalars[index] + w.end()
	}
	if size(node) == 0 || w.one(3) {
		return w.blank() + w.flow(node, false) + w.end()
	}
	return w.end() + w.pick("", "", "# c\n", "\n", "  # c\n") + w.block(node, len(inner))
}

func size(node any) int {
	if made, ok := node.(fields); ok {
		return len(made)
	}
	return len(node.([]any))
}

// flow makes a map or list in braces, in several lines or in one.
func (w *writer) flow(node any, root bool) string {
	if index, ok := node.(int); ok {
		return scalars[index]
	}
	if text, ok := node.(string); ok {
		return text
	}
	space := func() string { return w.pick("", " ", "\t", "\n\t", "\n  \t") }
	if !root && w.one(2) {
		space = func() string { return w.pick("", " ", "\t") }
	}
	if made, ok := node.(fields); ok {
		var parts []string
		for _, each := range made {
			parts = append(parts, space()+w.pick(`"`+each.key+`"`, each.key)+w.pick("", "\t")+":"+w.blank()+w.flow(each.value, root))
		}
		return "{" + strings.Join(parts, space()+",") + space() + "}"
	}
	var parts []string
	for _, each := range node.([]any) {
		parts = append(parts, space()+w.flow(each, root))
	}
	return "[" + strings.Join(parts, space()+",") + space() + "]"
}

// json makes a resource in JSON, with tabs or blanks between its tokens.
func (w *writer) json() string {
	line, _ := json.Marshal(plain(w.object()))
	var text bytes.Buffer
	_ = json.Indent(&text, line, w.pick("", "\t"), w.pick("\t", "  ", ""))
	return w.pick(string(line), text.String())
}

func plain(node any) any {
	switch node := node.(type) {
	case fields:
		made := map[string]any{}
		for _, each := range node {
			made[each.key] = plain(each.value)
		}
		return made
	case []any:
		made := []any{}
		for _, each := range node {
			made = append(made, plain(each))
		}
		return made
	case int:
		return []any{2, true, "mnist", nil, "a\tb", 1.5, "{\"", 1e21, "\U0001f600", "</a>", "\\", -7, ""}[node]
	default:
		return node
	}
}

// objects reads a text as kubectl's builder of resources does.
func objects(text string) ([]any, error) {
	read := []any{}
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		document := runtime.RawExtension{}
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return read, nil
		} else if err != nil {
			return nil, err
		}
		document.Raw = bytes.TrimSpace(document.Raw)
		if len(document.Raw) == 0 || bytes.Equal(document.Raw, []byte("null")) {
			continue
		}
		object, _, err := unstructured.UnstructuredJSONScheme.Decode(document.Raw, nil, nil)
		if runtime.IsMissingKind(err) {
			var fields any
			_ = json.Unmarshal(document.Raw, &fields)
			read = append(read, fields)
			continue
		}
		if err != nil {
			return nil, err
		}
		list, ok := object.(*unstructured.UnstructuredList)
		if !ok {
			list = &unstructured.UnstructuredList{Items: []unstructured.Unstructured{*object.(*unstructured.Unstructured)}}
		}
		for _, item := range list.Items {
			read = append(read, item.Object)
		}
	}
}

// compare holds each answer, a list of objects or "-", to what Kubernetes reads.
func compare(given, answers []string) {
	if len(given) != len(answers) {
		fail(fmt.Sprintf("%d answers to %d texts", len(answers), len(given)))
	}
	taken, refused := 0, 0
	for i, line := range given {
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			fail(err.Error())
		}
		read, err := objects(text)
		if err != nil {
			refused++
			// Both are YAML 1.2: a tab after the indentation of the first line of a block scalar, and one after a word in a flow collection.
			beyond := strings.Contains(err.Error(), "a tab character")
			if !beyond && !strings.HasPrefix(answers[i], "-") {
				fail(fmt.Sprintf("%s: Kubernetes refuses it, %v; EDL reads %s", line, err, answers[i]))
			}
			continue
		}
		taken++
		var answer any
		_ = json.Unmarshal([]byte(answers[i]), &answer)
		if expected := normal(read); !reflect.DeepEqual(expected, answer) {
			fail(fmt.Sprintf("%s: Kubernetes reads %v, EDL %s", line, expected, answers[i]))
		}
	}
	fmt.Printf("%d texts are read alike, %d other texts are refused\n", taken, refused)
}

func normal(value any) (read any) {
	text, _ := json.Marshal(value)
	_ = json.Unmarshal(text, &read)
	return read
}

func lines(file string) []string {
	opened, err := os.Open(file)
	if err != nil {
		fail(err.Error())
	}
	defer opened.Close()
	var all []string
	scanner := bufio.NewScanner(opened)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		fail(err.Error())
	}
	return all
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail(err.Error())
	}
	return value
}

func fail(line string) {
	fmt.Fprintln(os.Stderr, line)
	os.Exit(1)
}
