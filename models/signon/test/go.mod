// The test against another implementation of OpenID Connect is a module of its own, so that the
// service does not require it: go.work finds the service.
module dispo/models/signon/test

go 1.26.0

require github.com/zitadel/oidc/v3 v3.52.0
