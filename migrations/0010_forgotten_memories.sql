-- So that what was forgotten long ago is found, to be erased, without reading all there is.
CREATE INDEX "memories_forgotten" ON "memories" USING btree ("deleted_at") WHERE deleted_at is not null;