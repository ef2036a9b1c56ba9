-- Limits what API keys and authorized apps may do, pauses them, and lets a key create narrower ones for agents.
ALTER TABLE "api_keys" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_parent_id_api_keys_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_parent_id" ON "api_keys" USING btree ("parent_id") WHERE parent_id is not null;