-- A memory keeps the project that it is about, and the same text is one memory in each project.
CREATE TABLE IF NOT EXISTS "memory_project_aliases" (
	"owner_id" uuid NOT NULL,
	"alias" text NOT NULL,
	"project" text NOT NULL,
	CONSTRAINT "memory_project_aliases_owner_id_alias_pk" PRIMARY KEY("owner_id","alias")
);
--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN IF NOT EXISTS "project" text;--> statement-breakpoint
UPDATE "memories" SET "project" = coalesce("metadata"->>'project', (
	SELECT substr(tag, 9) FROM unnest("tags") tag WHERE starts_with(tag, 'project:') AND length(tag) > 8 LIMIT 1
))
WHERE "project" IS NULL AND ("capture_key" IS NOT NULL AND "metadata" ? 'project' OR EXISTS (
	SELECT FROM unnest("tags") tag WHERE starts_with(tag, 'project:') AND length(tag) > 8
));--> statement-breakpoint
DROP INDEX IF EXISTS "memories_content";--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "memories_content" ON "memories" USING btree ("owner_id","thread_no","content_hash",coalesce(project, '')) WHERE deleted_at is null and superseded_by is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "memories_project" ON "memories" USING btree ("owner_id","project") WHERE project is not null;
