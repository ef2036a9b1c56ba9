-- So that nothing that was said is lost by a change: who changed a memory, when, and what it was.
CREATE TABLE "memory_history" (
	"owner_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"action" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_ref" text,
	"before" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_history_owner_id_memory_id_id_pk" PRIMARY KEY("owner_id","memory_id","id")
);
