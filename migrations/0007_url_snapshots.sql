-- Keeps the text of pages as it was when somebody read them, so that a conversation can go on referring to it.
CREATE TABLE "url_snapshots" (
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"url" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "url_snapshots_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
ALTER TABLE "url_snapshots" ADD CONSTRAINT "url_snapshots_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "url_snapshots_created_at" ON "url_snapshots" USING btree ("user_id","created_at");