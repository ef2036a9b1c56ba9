-- Agents propose the same with every talk: what was declined once does not come up again.
ALTER TABLE "agents" ADD COLUMN "declined" jsonb DEFAULT '{}'::jsonb NOT NULL;