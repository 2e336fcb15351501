// Package openapi names the tools that try the OpenAPI document.
package openapi
