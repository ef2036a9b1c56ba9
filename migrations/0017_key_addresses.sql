-- Limits the addresses that API keys may be used from.
ALTER TABLE "api_keys" ADD COLUMN "allowed_addresses" text[];