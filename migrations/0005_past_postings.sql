-- So that what was superseded is still recalled as of a time when it held.
CREATE TABLE "memory_past_postings" (
	"owner_id" uuid NOT NULL,
	"term" text NOT NULL,
	"seq" bigint NOT NULL,
	"frequency" smallint NOT NULL,
	"length" smallint NOT NULL,
	CONSTRAINT "memory_past_postings_pk" PRIMARY KEY("owner_id","term","seq","frequency","length")
);
