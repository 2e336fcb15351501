package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/valyala/fasthttp"
)

// fetchEqual makes both calls and returns the service's answer. It fails unless
// both bodies decode to the same JSON value.
func fetchEqual(service, baseline call) (*fasthttp.Response, error) {
	answer, err := fetch(service)
	if err != nil {
		return nil, err
	}
	baselineAnswer, err := fetch(baseline)
	if err != nil {
		return nil, err
	}
	if err := equalJSON(answer.Body(), baselineAnswer.Body()); err != nil {
		return nil, fmt.Errorf("the answers to %s and %s differ: %w", service.url, baseline.url, err)
	}
	return answer, nil
}

// equalJSON returns an error that names the first difference between the
// service's body and the baseline's. The order of an object's members is ignored,
// the order of an array's elements is not.
func equalJSON(service, baseline []byte) error {
	serviceValue, err := decodeJSON(service)
	if err != nil {
		return fmt.Errorf("the service's body: %w", err)
	}
	baselineValue, err := decodeJSON(baseline)
	if err != nil {
		return fmt.Errorf("the baseline's body: %w", err)
	}
	return equalValues("body", serviceValue, baselineValue)
}

// decodeJSON decodes a body, keeping numbers as they are written.
func decodeJSON(body []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

func equalValues(path string, service, baseline any) error {
	switch service := service.(type) {
	case map[string]any:
		if baseline, ok := baseline.(map[string]any); ok {
			return equalObjects(path, service, baseline)
		}
	case []any:
		if baseline, ok := baseline.([]any); ok {
			return equalArrays(path, service, baseline)
		}
	}
	if !reflect.DeepEqual(service, baseline) {
		return fmt.Errorf("%s is %s in the service's answer, %s in the baseline's", path, encodeJSON(service), encodeJSON(baseline))
	}
	return nil
}

func equalObjects(path string, service, baseline map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(service)) {
		value, ok := baseline[name]
		if !ok {
			return fmt.Errorf("%s.%s is missing in the baseline's answer", path, name)
		}
		if err := equalValues(path+"."+name, service[name], value); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(baseline)) {
		if _, ok := service[name]; !ok {
			return fmt.Errorf("%s.%s is missing in the service's answer", path, name)
		}
	}
	return nil
}

func equalArrays(path string, service, baseline []any) error {
	for i := range min(len(service), len(baseline)) {
		if err := equalValues(fmt.Sprintf("%s[%d]", path, i), service[i], baseline[i]); err != nil {
			return err
		}
	}
	if len(service) != len(baseline) {
		return fmt.Errorf("%s has %d elements in the service's answer, %d in the baseline's", path, len(service), len(baseline))
	}
	return nil
}

func encodeJSON(value any) []byte {
	text, _ := json.Marshal(value) // a decoded value can always be encoded
	return text
}
