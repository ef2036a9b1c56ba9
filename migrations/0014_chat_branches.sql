-- Branches of chat sessions, and the parts of the prompts of answers.
ALTER TABLE "chat_messages" ADD COLUMN "context" jsonb;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "original_id" uuid;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "branched_from" uuid;