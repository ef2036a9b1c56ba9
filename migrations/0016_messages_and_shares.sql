-- Two people write to each other, in one thread that both see; a person shows a conversation, as it was, to whoever has the link.
CREATE TABLE "dm_members" (
	"user_id" uuid NOT NULL,
	"thread_id" uuid NOT NULL,
	"peer_id" uuid NOT NULL,
	"unread" integer DEFAULT 0 NOT NULL,
	"is_archived" boolean DEFAULT false NOT NULL,
	"last_message_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dm_members_user_id_thread_id_pk" PRIMARY KEY("user_id","thread_id")
);
--> statement-breakpoint
CREATE TABLE "dm_messages" (
	"thread_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"is_answer" boolean DEFAULT false NOT NULL,
	"content" text NOT NULL,
	"mentions_icog" boolean DEFAULT false NOT NULL,
	"reply_to" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dm_messages_thread_id_position_pk" PRIMARY KEY("thread_id","position"),
	CONSTRAINT "dm_messages_message" UNIQUE("message_id")
);
--> statement-breakpoint
CREATE TABLE "dm_threads" (
	"thread_id" uuid PRIMARY KEY NOT NULL,
	"first_user_id" uuid NOT NULL,
	"second_user_id" uuid NOT NULL,
	"last_position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dm_threads_pair" UNIQUE("first_user_id","second_user_id")
);
--> statement-breakpoint
CREATE TABLE "share_messages" (
	"user_id" uuid NOT NULL,
	"share_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"files" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "share_messages_user_id_share_id_position_pk" PRIMARY KEY("user_id","share_id","position")
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"user_id" uuid NOT NULL,
	"share_id" uuid NOT NULL,
	"token" text NOT NULL,
	"session_id" uuid NOT NULL,
	"title" text NOT NULL,
	"message_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "shares_user_id_share_id_pk" PRIMARY KEY("user_id","share_id"),
	CONSTRAINT "shares_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "dm_members" ADD CONSTRAINT "dm_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dm_messages" ADD CONSTRAINT "dm_messages_member_fk" FOREIGN KEY ("user_id","thread_id") REFERENCES "public"."dm_members"("user_id","thread_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dm_messages" ADD CONSTRAINT "dm_messages_reply_fk" FOREIGN KEY ("reply_to") REFERENCES "public"."dm_messages"("message_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_messages" ADD CONSTRAINT "share_messages_share_fk" FOREIGN KEY ("user_id","share_id") REFERENCES "public"."shares"("user_id","share_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dm_members_list" ON "dm_members" USING btree ("user_id","last_message_at","thread_id");--> statement-breakpoint
CREATE INDEX "dm_messages_owner" ON "dm_messages" USING btree ("user_id","thread_id");--> statement-breakpoint
CREATE INDEX "dm_messages_reply" ON "dm_messages" USING btree ("reply_to") WHERE reply_to is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dm_messages_answer" ON "dm_messages" USING btree ("reply_to") WHERE is_answer;--> statement-breakpoint
CREATE INDEX "dm_threads_second" ON "dm_threads" USING btree ("second_user_id");