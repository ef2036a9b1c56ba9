-- A memory's row has its terms, and the index in memory is the only one.
CREATE TABLE IF NOT EXISTS "memory_changes" (
	"owner_id" uuid NOT NULL,
	"change_no" bigint NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "memory_changes_owner_id_change_no_pk" PRIMARY KEY("owner_id","change_no")
);
--> statement-breakpoint
DROP TABLE IF EXISTS "memory_author_stats" CASCADE;--> statement-breakpoint
DROP TABLE IF EXISTS "memory_authors" CASCADE;--> statement-breakpoint
DROP TABLE IF EXISTS "memory_past_postings" CASCADE;--> statement-breakpoint
DROP TABLE IF EXISTS "memory_postings" CASCADE;--> statement-breakpoint
DROP TABLE IF EXISTS "word_forms" CASCADE;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN IF NOT EXISTS "terms" text;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN IF NOT EXISTS "terms_version" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "memories" DROP COLUMN IF EXISTS "search_text";--> statement-breakpoint
ALTER TABLE "memories" DROP COLUMN IF EXISTS "exact_forms";--> statement-breakpoint
ALTER TABLE "memory_stats" DROP COLUMN IF EXISTS "word_count";--> statement-breakpoint
ALTER TABLE "memory_stats" DROP COLUMN IF EXISTS "recent_changes";--> statement-breakpoint
ALTER TABLE "memory_vectors" DROP CONSTRAINT IF EXISTS "memory_vectors_owner_id_seq_model_pk";--> statement-breakpoint
ALTER TABLE "memory_vectors" DROP COLUMN IF EXISTS "is_past";--> statement-breakpoint
ALTER TABLE "memory_vectors" ADD CONSTRAINT "memory_vectors_owner_id_seq_model_pk" PRIMARY KEY("owner_id","seq","model");
