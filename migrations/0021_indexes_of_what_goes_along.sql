-- Deleting an organization or an account looks for what goes with it, and is not to read all there is.
CREATE INDEX "oauth_grants_org_id" ON "oauth_grants" USING btree ("org_id") WHERE org_id is not null;--> statement-breakpoint
CREATE INDEX "api_keys_org_id" ON "api_keys" USING btree ("org_id") WHERE org_id is not null;--> statement-breakpoint
CREATE INDEX "org_invites_invited_by" ON "org_invites" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "org_invites_email" ON "org_invites" USING btree ("email");