-- Events of webhooks are delivered by jobs of an ordered queue: webhooks need no lease, and their former queues go.
ALTER TABLE "event_webhooks" DROP COLUMN IF EXISTS "lease_id";--> statement-breakpoint
ALTER TABLE "event_webhooks" DROP COLUMN IF EXISTS "leased_until";--> statement-breakpoint
DO $$ BEGIN
  IF to_regclass('jobs.queue') IS NOT NULL THEN
    DELETE FROM jobs.job WHERE name IN ('event-webhook', 'server-event-webhook', 'event-webhook-sweep');
    DELETE FROM jobs.queue WHERE name IN ('event-webhook', 'server-event-webhook', 'event-webhook-sweep');
  END IF;
END $$;
