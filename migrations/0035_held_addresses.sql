-- Finds the account that a former address is held for.
CREATE INDEX "mailed_links_held" ON "mailed_links" USING btree ("email") WHERE kind = 'undo';