-- Only one process delivers to a webhook at a time: events arrive in their order.
ALTER TABLE "event_webhooks" ADD COLUMN "lease_id" uuid;--> statement-breakpoint
ALTER TABLE "event_webhooks" ADD COLUMN "leased_until" timestamp (3) with time zone;