-- How long each search for memories took.
ALTER TABLE "activity_events" ADD COLUMN "took_ms" real;
