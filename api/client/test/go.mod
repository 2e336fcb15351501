// The tests of both clients are a module of their own, because they need the service as well
// as the client: go.work finds all three. It requires nothing, so that no list of versions has
// to be kept up to date here.
module dispo/api/client/test

go 1.26.0
