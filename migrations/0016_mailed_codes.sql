-- Codes to sign in with that are mailed.
CREATE TABLE "mailed_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_hash" text NOT NULL,
	"email" text NOT NULL,
	"user_id" uuid,
	"code_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "mailed_codes_attempt_hash_unique" UNIQUE("attempt_hash")
);
--> statement-breakpoint
ALTER TABLE "mailed_codes" ADD CONSTRAINT "mailed_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mailed_codes_expires_at" ON "mailed_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mailed_codes_user_id" ON "mailed_codes" USING btree ("user_id");