module dispo/api/client

go 1.26.0

ignore node_modules
