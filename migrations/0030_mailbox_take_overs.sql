-- Links for a sign-in by mail give an account whose address is not verified to the owner of the mailbox.
ALTER TABLE "mailed_links" ADD COLUMN "takes_over" boolean DEFAULT false NOT NULL;