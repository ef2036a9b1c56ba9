-- Messages in the activity refer to the other person, whose name is read with the event, so that none stays after a deletion.
ALTER TABLE "activity_events" ADD COLUMN "peer_id" uuid;--> statement-breakpoint
CREATE INDEX "activity_events_peer" ON "activity_events" USING btree ("peer_id") WHERE peer_id is not null;--> statement-breakpoint
CREATE INDEX "reflex_firings_author" ON "reflex_firings" USING btree ((event->>'author_id')) WHERE event ? 'author_id';--> statement-breakpoint
CREATE INDEX "memories_org_writer" ON "memories" USING btree ("user_id") WHERE org_id is not null;--> statement-breakpoint
UPDATE "activity_events" e SET "peer_id" = (
  SELECT u.id FROM "users" u WHERE u.username = e.subject AND u.created_at <= e.created_at
), "subject" = NULL
WHERE e.kind IN ('message.sent', 'message.received') AND e.subject <> 'icog';--> statement-breakpoint
WITH gone AS (
  DELETE FROM "reflex_firings" f WHERE f.event ? 'author_id' AND f.event->>'author_id' IS NOT NULL
    AND f.event->>'author_id' <> '69636f67-0000-8000-8000-000000000000'
    AND NOT EXISTS (SELECT FROM "users" u WHERE u.id::text = f.event->>'author_id')
  RETURNING f.user_id, f.firing_id
)
DELETE FROM "intents" i USING gone
WHERE i.user_id = gone.user_id AND i.source IN ('confirm:' || gone.firing_id, 'reflex:' || gone.firing_id);