// There is no batch.
