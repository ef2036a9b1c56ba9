-- Renames the audit actions of refunds and disputes to the terms of payment providers: a reversal, and its undoing.
ALTER TABLE "audit_log" DISABLE TRIGGER "audit_log_append_only";--> statement-breakpoint
UPDATE "audit_log" SET "action" = 'credits.reversed' WHERE "action" = 'credits.taken_back';--> statement-breakpoint
UPDATE "audit_log" SET "action" = 'credits.restored' WHERE "action" = 'credits.given_back';--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE TRIGGER "audit_log_append_only";
