package imports

// InsertChunk is how many rows an import inserts at once.
const InsertChunk = insertChunk
