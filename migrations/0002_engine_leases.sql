-- The server that runs the engines of an owner, so that several servers do not process the same memories at once.
CREATE TABLE "engine_leases" (
	"owner_id" uuid NOT NULL,
	"worker" text NOT NULL,
	"holder" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "engine_leases_owner_id_worker_pk" PRIMARY KEY("owner_id","worker")
);
