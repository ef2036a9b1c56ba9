-- Recall finds preferences and instructions by their meaning, like all other memories.
DROP INDEX "memories_standing";--> statement-breakpoint
ALTER TABLE "memories" DROP COLUMN "first_persons";--> statement-breakpoint
ALTER TABLE "memories" DROP COLUMN "is_standing";
