-- So that days and hours are those of the person: the time zone that they are in, and the one that a reminder was read in.
ALTER TABLE "users" ADD COLUMN "timezone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "memory_facts" ADD COLUMN "timezone" text;