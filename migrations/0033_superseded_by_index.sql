-- Deleting a memory looks up those that it superseded.
CREATE INDEX "memories_superseded_by" ON "memories" USING btree ("owner_id","superseded_by") WHERE superseded_by is not null;