-- People mail others: threads, what was written, and what came of each mail. A killed server goes on from here.
CREATE TABLE "email_messages" (
	"user_id" uuid NOT NULL,
	"thread_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_messages_user_id_thread_id_message_id_pk" PRIMARY KEY("user_id","thread_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "email_recipients" (
	"user_id" uuid NOT NULL,
	"thread_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"address" text NOT NULL,
	"mail_id" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_recipients_user_id_thread_id_message_id_position_pk" PRIMARY KEY("user_id","thread_id","message_id","position")
);
--> statement-breakpoint
CREATE TABLE "email_threads" (
	"user_id" uuid NOT NULL,
	"thread_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"message_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_message_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_threads_user_id_thread_id_pk" PRIMARY KEY("user_id","thread_id")
);
--> statement-breakpoint
ALTER TABLE "email_messages" ADD CONSTRAINT "email_messages_thread" FOREIGN KEY ("user_id","thread_id") REFERENCES "public"."email_threads"("user_id","thread_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_recipients" ADD CONSTRAINT "email_recipients_message" FOREIGN KEY ("user_id","thread_id","message_id") REFERENCES "public"."email_messages"("user_id","thread_id","message_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_threads" ADD CONSTRAINT "email_threads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_recipients_unsent" ON "email_recipients" USING btree ("state") WHERE state <> 'sent';--> statement-breakpoint
CREATE INDEX "email_threads_list" ON "email_threads" USING btree ("user_id","last_message_at","thread_id");