-- What waits for a person, to be confirmed, chosen, answered or remembered: of each source once.
CREATE TABLE "intents" (
	"user_id" uuid NOT NULL,
	"intent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"title" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"outcome" text,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"hidden_until" timestamp (3) with time zone,
	"weight" double precision DEFAULT 0 NOT NULL,
	"feedback" text,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "intents_user_id_intent_id_pk" PRIMARY KEY("user_id","intent_id"),
	CONSTRAINT "intents_source" UNIQUE("user_id","source")
);
--> statement-breakpoint
ALTER TABLE "intents" ADD CONSTRAINT "intents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "intents_open" ON "intents" USING btree ("user_id","state","kind","due_at");