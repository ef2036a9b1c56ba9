-- Counts and lists the changes of an owner's memories, so that a server notices that its cache of their vectors is stale.
ALTER TABLE "memory_stats" ADD COLUMN "change_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "memory_stats" ADD COLUMN "recent_changes" bigint[] DEFAULT '{}' NOT NULL;