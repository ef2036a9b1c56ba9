-- Keeps what requests to models were given, so that later requests of a conversation have it at the same place.
CREATE TABLE "proxy_turns" (
	"user_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"place" text NOT NULL,
	"session" text NOT NULL,
	"turn" text NOT NULL,
	"ordinal" integer NOT NULL,
	"text" text NOT NULL,
	"is_answered" boolean DEFAULT false NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "proxy_turns_user_id_scope_place_pk" PRIMARY KEY("user_id","scope","place")
);
--> statement-breakpoint
ALTER TABLE "proxy_turns" ADD CONSTRAINT "proxy_turns_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proxy_turns_used_at" ON "proxy_turns" USING btree ("used_at");