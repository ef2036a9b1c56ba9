-- A fingerprint of the secret that all processes of a database share, so that one with another secret does not start.
CREATE TABLE "secret_fingerprints" (
	"name" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
