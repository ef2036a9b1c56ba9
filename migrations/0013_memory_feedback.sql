-- Questions that people marked memories as not relevant to.
CREATE TABLE "memory_feedback" (
	"owner_id" uuid NOT NULL,
	"feedback_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"question" text NOT NULL,
	"language" text NOT NULL,
	"terms" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_feedback_owner_id_feedback_id_pk" PRIMARY KEY("owner_id","feedback_id")
);
--> statement-breakpoint
CREATE INDEX "memory_feedback_memory" ON "memory_feedback" USING btree ("owner_id","memory_id");--> statement-breakpoint
CREATE INDEX "memory_feedback_user" ON "memory_feedback" USING btree ("user_id");