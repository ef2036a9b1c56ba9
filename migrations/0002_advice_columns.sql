-- Recall finds preferences and instructions by their meaning, like all other memories.
DROP INDEX IF EXISTS "memories_standing";--> statement-breakpoint
ALTER TABLE "memories" DROP COLUMN IF EXISTS "first_persons";--> statement-breakpoint
ALTER TABLE "memories" DROP COLUMN IF EXISTS "is_standing";
