-- Webhooks that get the events of accounts and organizations, and their deliveries.
CREATE TABLE "event_deliveries" (
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"status" integer,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "event_deliveries_webhook_id_event_id_pk" PRIMARY KEY("webhook_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "event_webhooks" (
	"webhook_id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid,
	"url" text NOT NULL,
	"types" text[],
	"description" text NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "event_deliveries_due" ON "event_deliveries" USING btree ("webhook_id","due_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "event_deliveries_created_at" ON "event_deliveries" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "event_webhooks_org" ON "event_webhooks" USING btree ("org_id");
