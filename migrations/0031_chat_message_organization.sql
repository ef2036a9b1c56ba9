-- The organization of a chat message: a prompt in an organization contains the messages of that organization alone.
ALTER TABLE "chat_messages" ADD COLUMN "org_id" uuid;