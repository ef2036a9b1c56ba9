-- The first schema: accounts with sessions and keys, and memories with the postings recall reads.
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"action" text NOT NULL,
	"subject" text,
	"ip" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_code_hash" text NOT NULL,
	"user_code" text NOT NULL,
	"client_name" text NOT NULL,
	"wants_session" boolean NOT NULL,
	"ip" text,
	"user_agent" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"user_id" uuid,
	"org_id" uuid,
	"interval_seconds" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_polled_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_logins_device_code_hash_unique" UNIQUE("device_code_hash"),
	CONSTRAINT "device_logins_user_code_unique" UNIQUE("user_code")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"org_id" uuid,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"ip" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_guards" (
	"email" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"username" text NOT NULL,
	"display_name" text,
	"avatar_url" text,
	"tier" text DEFAULT 'amnesiac' NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"onboarding_completed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "memories" (
	"owner_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "memories_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"org_id" uuid,
	"content_text" text NOT NULL,
	"content_hash" uuid NOT NULL,
	"asks" boolean NOT NULL,
	"ends_asking" boolean NOT NULL,
	"memory_type" text NOT NULL,
	"importance" double precision NOT NULL,
	"tags" text[] NOT NULL,
	"thread_no" bigint NOT NULL,
	"position" integer,
	"author" text,
	"agent_slug" text,
	"source_kind" text NOT NULL,
	"source_ref" text,
	"metadata" jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"valid_from" timestamp (3) with time zone,
	"valid_to" timestamp (3) with time zone,
	"supersedes" uuid,
	"superseded_by" uuid,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "memories_owner_id_memory_id_pk" PRIMARY KEY("owner_id","memory_id")
);
--> statement-breakpoint
CREATE TABLE "memory_authors" (
	"owner_id" uuid NOT NULL,
	"term" text NOT NULL,
	"author" text NOT NULL,
	CONSTRAINT "memory_authors_owner_id_term_author_pk" PRIMARY KEY("owner_id","term","author")
);
--> statement-breakpoint
CREATE TABLE "memory_stats" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"memory_count" bigint NOT NULL,
	"word_count" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memory_threads" (
	"owner_id" uuid NOT NULL,
	"thread_no" bigint GENERATED ALWAYS AS IDENTITY (sequence name "memory_threads_thread_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"thread" text NOT NULL,
	"last_position" integer NOT NULL,
	CONSTRAINT "memory_threads_owner_id_thread_no_pk" PRIMARY KEY("owner_id","thread_no")
);
--> statement-breakpoint
CREATE TABLE "memory_postings" (
	"owner_id" uuid NOT NULL,
	"term" text NOT NULL,
	"seq" bigint NOT NULL,
	"frequency" smallint NOT NULL,
	"length" smallint NOT NULL,
	CONSTRAINT "memory_postings_owner_id_term_seq_frequency_length_pk" PRIMARY KEY("owner_id","term","seq","frequency","length")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
ALTER TABLE "device_logins" ADD CONSTRAINT "device_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_user_id" ON "audit_log" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "device_logins_expires_at" ON "device_logins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_keys_user_id" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "memories_seq" ON "memories" USING btree ("owner_id","seq");--> statement-breakpoint
CREATE INDEX "memories_thread" ON "memories" USING btree ("owner_id","thread_no","position","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "memories_content" ON "memories" USING btree ("owner_id","thread_no","content_hash") WHERE deleted_at is null and superseded_by is null;--> statement-breakpoint
CREATE UNIQUE INDEX "memory_threads_thread" ON "memory_threads" USING btree ("owner_id","thread");