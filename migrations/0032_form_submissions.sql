-- Forms that a browser sent twice get the response to the first submission.
CREATE TABLE "form_submissions" (
	"hash" text PRIMARY KEY NOT NULL,
	"sealed" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "form_submissions_expires_at" ON "form_submissions" USING btree ("expires_at");