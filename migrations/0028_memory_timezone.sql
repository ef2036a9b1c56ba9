-- The time zone that dates in the text of a memory are read in: that of the request that wrote it.
ALTER TABLE "memories" ADD COLUMN "timezone" text;