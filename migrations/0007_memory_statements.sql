-- Keeps what the text of a memory states, which recall ranks by: words in the first person, and preferences and instructions.
ALTER TABLE "memories" ADD COLUMN "first_persons" smallint;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "is_standing" boolean;--> statement-breakpoint
CREATE INDEX "memories_standing" ON "memories" USING btree ("owner_id","seq") WHERE is_standing or memory_type = 'preference';