-- What an agent says in an organization is told to a model there alone.
ALTER TABLE "agent_exchanges" ADD COLUMN "org_id" uuid;