-- When a refresh token was used says for how long it may be sent once more.
ALTER TABLE "sessions" ADD COLUMN "rotated_at" timestamp (3) with time zone;