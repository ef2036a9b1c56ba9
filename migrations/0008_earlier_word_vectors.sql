-- Deletes the vectors of the first 20,000 words: those of the larger vocabulary have another model, and are made in the background.
DELETE FROM "memory_vectors" WHERE "model" = 1642910248;
