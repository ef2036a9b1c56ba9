-- Tags and authors are compared in a folded form, which is stored where it is another one.
ALTER TABLE "memories" ADD COLUMN "folded_tags" text[];--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "folded_author" text;