-- Says of each memory whom its text comes from, keys captured messages, and lists what a conversation was given as context.
CREATE TABLE "context_given" (
	"user_id" uuid NOT NULL,
	"session" text NOT NULL,
	"memory_id" uuid NOT NULL,
	"given_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "context_given_user_id_session_memory_id_pk" PRIMARY KEY("user_id","session","memory_id")
);
--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "trust" text DEFAULT 'user' NOT NULL;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "capture_key" uuid;--> statement-breakpoint
UPDATE "memories" SET "trust" = CASE "source_kind" WHEN 'page' THEN 'external' WHEN 'answer' THEN 'assistant' ELSE 'imported' END
WHERE "source_kind" IN ('page', 'answer', 'import');--> statement-breakpoint
CREATE INDEX "context_given_at" ON "context_given" USING btree ("given_at");--> statement-breakpoint
CREATE UNIQUE INDEX "memories_capture" ON "memories" USING btree ("owner_id","capture_key") WHERE capture_key is not null;