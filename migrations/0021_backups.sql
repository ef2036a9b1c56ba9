-- The backups that running servers make.
CREATE TABLE "backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"is_scheduled" boolean NOT NULL,
	"state" text NOT NULL,
	"path" text,
	"host" text,
	"is_encrypted" boolean DEFAULT false NOT NULL,
	"bytes" bigint,
	"progress" text,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"alive_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
