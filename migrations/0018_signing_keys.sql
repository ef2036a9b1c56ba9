-- Stores the key pairs that sign access tokens (ES256), with the times of their rotation.
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_private_key" text,
	"published_at" timestamp (3) with time zone NOT NULL,
	"signs_from" timestamp (3) with time zone NOT NULL,
	"signs_until" timestamp (3) with time zone,
	"verifies_until" timestamp (3) with time zone
);
