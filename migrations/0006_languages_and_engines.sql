-- Memories in several languages, terms that compare by bytes, and what the engines work on and find.
CREATE TABLE "engine_states" (
	"engine" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"reason" text NOT NULL,
	"changed_by" uuid NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memory_tasks" (
	"owner_id" uuid NOT NULL,
	"engine" text NOT NULL,
	"seq" bigint NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "memory_tasks_owner_id_engine_seq_pk" PRIMARY KEY("owner_id","engine","seq")
);
--> statement-breakpoint
CREATE TABLE "memory_facts" (
	"owner_id" uuid NOT NULL,
	"fact_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"is_liked" boolean,
	"quote" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"extracted_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_facts_owner_id_fact_id_pk" PRIMARY KEY("owner_id","fact_id")
);
--> statement-breakpoint
CREATE TABLE "memory_betweenness" (
	"owner_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"betweenness" double precision NOT NULL,
	CONSTRAINT "memory_betweenness_owner_id_memory_id_pk" PRIMARY KEY("owner_id","memory_id")
);
--> statement-breakpoint
CREATE TABLE "memory_graphs" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"node_count" integer NOT NULL,
	"edge_count" integer NOT NULL,
	"is_sampled" boolean NOT NULL,
	"duration_ms" integer NOT NULL,
	"computed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memory_links" (
	"owner_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"other_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"weight" double precision NOT NULL,
	CONSTRAINT "memory_links_owner_id_memory_id_other_id_kind_pk" PRIMARY KEY("owner_id","memory_id","other_id","kind")
);
--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "language" text DEFAULT 'english' NOT NULL;--> statement-breakpoint
ALTER TABLE "memories" ALTER COLUMN "language" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "search_text" text;--> statement-breakpoint
ALTER TABLE "memory_stats" ADD COLUMN "languages" jsonb DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "memory_stats" ALTER COLUMN "languages" DROP DEFAULT;--> statement-breakpoint
UPDATE "memory_stats" SET "languages" = jsonb_build_object('english', "memory_count");--> statement-breakpoint
ALTER TABLE "memory_postings" ALTER COLUMN "term" TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "memory_past_postings" ALTER COLUMN "term" TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "memory_authors" ALTER COLUMN "term" TYPE text COLLATE "C";--> statement-breakpoint
DELETE FROM "memory_authors";--> statement-breakpoint
INSERT INTO "memory_authors" ("owner_id", "term", "author")
SELECT DISTINCT m."owner_id", w.lexeme, m."author"
FROM "memories" m, unnest(to_tsvector('simple', m."author")) w
WHERE m."author" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "memory_facts" ADD CONSTRAINT "memory_facts_owner_id_memory_id_memories_owner_id_memory_id_fk" FOREIGN KEY ("owner_id","memory_id") REFERENCES "public"."memories"("owner_id","memory_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_betweenness" ADD CONSTRAINT "memory_betweenness_memory_fk" FOREIGN KEY ("owner_id","memory_id") REFERENCES "public"."memories"("owner_id","memory_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_links" ADD CONSTRAINT "memory_links_memory_fk" FOREIGN KEY ("owner_id","memory_id") REFERENCES "public"."memories"("owner_id","memory_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_links" ADD CONSTRAINT "memory_links_other_fk" FOREIGN KEY ("owner_id","other_id") REFERENCES "public"."memories"("owner_id","memory_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memory_facts_memory" ON "memory_facts" USING btree ("owner_id","memory_id");--> statement-breakpoint
CREATE INDEX "memory_facts_key" ON "memory_facts" USING btree ("owner_id","subject","key");--> statement-breakpoint
CREATE INDEX "memory_betweenness_rank" ON "memory_betweenness" USING btree ("owner_id","betweenness");--> statement-breakpoint
CREATE INDEX "memory_links_other" ON "memory_links" USING btree ("owner_id","other_id");--> statement-breakpoint
INSERT INTO "memory_tasks" ("owner_id", "engine", "seq")
SELECT m."owner_id", e.engine, m."seq"
FROM "memories" m CROSS JOIN unnest(ARRAY['extraction', 'consolidation', 'graph']) AS e(engine)
WHERE m."deleted_at" IS NULL AND m."superseded_by" IS NULL;
