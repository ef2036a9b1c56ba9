-- Sessions remember the session at the OpenID provider that they came from, and end with it.
CREATE TABLE "provider_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"provider_sid" text,
	"id_token" text,
	"end_session_endpoint" text,
	"session_id" uuid,
	"challenge_id" uuid
);
--> statement-breakpoint
CREATE TABLE "used_logout_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "provider_sessions" ADD CONSTRAINT "provider_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_sessions" ADD CONSTRAINT "provider_sessions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_sessions" ADD CONSTRAINT "provider_sessions_challenge_id_mfa_challenges_id_fk" FOREIGN KEY ("challenge_id") REFERENCES "public"."mfa_challenges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_sessions_user_id" ON "provider_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "provider_sessions_subject" ON "provider_sessions" USING btree ("provider","subject");--> statement-breakpoint
CREATE INDEX "provider_sessions_provider_sid" ON "provider_sessions" USING btree ("provider","provider_sid");--> statement-breakpoint
CREATE INDEX "provider_sessions_session_id" ON "provider_sessions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "provider_sessions_challenge_id" ON "provider_sessions" USING btree ("challenge_id");--> statement-breakpoint
CREATE INDEX "used_logout_tokens_expires_at" ON "used_logout_tokens" USING btree ("expires_at");