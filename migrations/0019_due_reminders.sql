-- Reminders are looked for by the time they are due.
CREATE INDEX "memory_facts_due" ON "memory_facts" USING btree ("owner_id","due_at") WHERE kind = 'reminder';