// Renders a chart as `helm template` does, for machines without Helm. It is built from packages of Debian: Go itself, and
// the libraries that Helm uses for functions (sprig) and YAML. Helm's engine is a thin layer around text/template, and
// this program repeats the part of it that the chart uses. It does not check values.schema.json.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

type files struct{ root string }

func (f files) Get(name string) string {
	content, err := os.ReadFile(filepath.Join(f.root, name))
	if err != nil {
		return ""
	}
	return string(content)
}

type texts []string

func (t *texts) String() string { return strings.Join(*t, ",") }
func (t *texts) Set(text string) error {
	*t = append(*t, text)
	return nil
}
func (t texts) Has(text string) bool {
	for _, one := range t {
		if one == text {
			return true
		}
	}
	return false
}

func main() {
	var valueFiles, apiVersions texts
	options := flag.NewFlagSet("template", flag.ExitOnError)
	namespace := options.String("namespace", "default", "")
	kubeVersion := options.String("kube-version", "v1.30.0", "")
	options.Var(&valueFiles, "values", "")
	options.Var(&apiVersions, "api-versions", "")
	if len(os.Args) < 4 || os.Args[1] != "template" {
		exit(errors.New("usage: template <release> <chart> [--namespace …] [--values …]"))
	}
	exit(options.Parse(os.Args[4:]))
	release, chart := os.Args[2], os.Args[3]

	chartValues := readYaml(filepath.Join(chart, "values.yaml"))
	for _, file := range valueFiles {
		merge(chartValues, readYaml(file))
	}
	metadata := readYaml(filepath.Join(chart, "Chart.yaml"))
	top := values{
		"Values":  chartValues,
		"Chart":   values{"Name": metadata["name"], "Version": metadata["version"], "AppVersion": metadata["appVersion"]},
		"Release": values{"Name": release, "Namespace": *namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Capabilities": values{
			"KubeVersion": values{"Version": *kubeVersion},
			"APIVersions": apiVersions,
		},
		"Files": files{chart},
	}
	exit(render(chart, metadata["name"].(string), top))
}

func render(chart, name string, top values) error {
	engine := newEngine()
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	sort.Strings(paths)
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := engine.New(name + "/templates/" + filepath.Base(path)).Parse(string(source)); err != nil {
			return err
		}
	}
	for _, path := range paths {
		base := filepath.Base(path)
		if strings.HasPrefix(base, "_") {
			continue
		}
		full := name + "/templates/" + base
		top["Template"] = values{"Name": full, "BasePath": name + "/templates"}
		var out strings.Builder
		if err := engine.ExecuteTemplate(&out, full, top); err != nil {
			return err
		}
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		// Helm prints the notes after an installation only. Rendering them still finds their mistakes.
		if base != "NOTES.txt" && strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", full, text)
		}
	}
	return nil
}

func newEngine() *template.Template {
	engine := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := engine.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, errors.New(message)
		}
		return value, nil
	}
	functions["fail"] = func(message string) (string, error) { return "", errors.New(message) }
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["fromYaml"] = func(text string) values {
		parsed := values{}
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			parsed["Error"] = err.Error()
		}
		return parsed
	}
	return engine.Funcs(functions)
}

// merge puts what an operator sets over the defaults; null removes a default.
func merge(into, from values) {
	for key, value := range from {
		inner, isMap := value.(values)
		existing, wasMap := into[key].(values)
		switch {
		case value == nil:
			delete(into, key)
		case isMap && wasMap:
			merge(existing, inner)
		default:
			into[key] = value
		}
	}
}

func readYaml(path string) values {
	text, err := os.ReadFile(path)
	exit(err)
	parsed := values{}
	exit(yaml.Unmarshal(text, &parsed))
	return parsed
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}
