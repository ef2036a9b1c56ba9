-- Lets apps sign users in: clients of admins, consents, and which clients an organization allows.
CREATE TABLE "oauth_consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"org_id" uuid,
	"scopes" text[] NOT NULL,
	"declined_scopes" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "is_managed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "allowed_scopes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "post_logout_redirect_uris" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "backchannel_logout_uri" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "secret_hash" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "skips_consent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD COLUMN "nonce" text;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "agreed_scopes" text[];--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "sign_in_id" uuid;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "signed_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "logout_sent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orgs" ADD COLUMN "allowed_clients" text[];--> statement-breakpoint
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_consents_user_client" ON "oauth_consents" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_consents_client_id" ON "oauth_consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_consents_org_id" ON "oauth_consents" USING btree ("org_id") WHERE org_id is not null;--> statement-breakpoint
CREATE INDEX "oauth_grants_client_id" ON "oauth_grants" USING btree ("client_id");