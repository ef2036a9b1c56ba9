-- Settings of the server that admins change while it runs.
CREATE TABLE "server_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" text,
	"version" integer NOT NULL,
	"changed_by" uuid NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
