-- Lets organizations have mail domains whose users join, and policies that compare how users signed in.
CREATE TABLE "former_org_members" (
	"org_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	CONSTRAINT "former_org_members_org_id_address_hash_pk" PRIMARY KEY("org_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "organization_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"token" text NOT NULL,
	"joins" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"missing_since" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "second_factor" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "signed_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orgs" ADD COLUMN "policies" jsonb;--> statement-breakpoint
ALTER TABLE "mfa_challenges" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "former_org_members" ADD CONSTRAINT "former_org_members_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_domains" ADD CONSTRAINT "organization_domains_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "organization_domains_org_id" ON "organization_domains" USING btree ("org_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "organization_domains_verified" ON "organization_domains" USING btree ("domain") WHERE verified_at is not null;--> statement-breakpoint
CREATE INDEX "organization_domains_checked_at" ON "organization_domains" USING btree ("checked_at") WHERE verified_at is not null;--> statement-breakpoint
-- Users who were removed before do not join by themselves either.
INSERT INTO "former_org_members" ("org_id", "address_hash")
SELECT o.id, encode(sha256(convert_to(o.id || ' ' || u.email, 'UTF8')), 'hex')
FROM "audit_log" a
JOIN "users" u ON u.id = a.user_id AND a.details->>'user_id' = u.id::text
JOIN "orgs" o ON o.id::text = a.subject
WHERE a.action = 'org.member_removed'
	AND NOT EXISTS (SELECT FROM "org_members" m WHERE m.org_id = o.id AND m.user_id = u.id)
ON CONFLICT DO NOTHING;
