-- What people and agents say to svc and are answered, how they sort it, and the files that they give to it.
CREATE TABLE "agent_exchanges" (
	"user_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"exchange_id" uuid NOT NULL,
	"type" text DEFAULT 'exchange' NOT NULL,
	"agent_message" text NOT NULL,
	"icog_response" text NOT NULL,
	"memory_type" text DEFAULT 'semantic' NOT NULL,
	"current_task" text,
	"provider" text,
	"model" text,
	"usage" jsonb,
	"is_partial" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_exchanges_user_id_slug_exchange_id_pk" PRIMARY KEY("user_id","slug","exchange_id")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"user_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"self_definition" text,
	"mandate" text,
	"boundaries" text[] DEFAULT '{}' NOT NULL,
	"agent_type" text,
	"proposal" jsonb,
	"proposed_at" timestamp (3) with time zone,
	"exchange_count" integer DEFAULT 0 NOT NULL,
	"last_exchange_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_user_id_slug_pk" PRIMARY KEY("user_id","slug")
);
--> statement-breakpoint
CREATE TABLE "session_categories" (
	"user_id" uuid NOT NULL,
	"category_id" uuid NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"color" text NOT NULL,
	"icon" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_categories_user_id_category_id_pk" PRIMARY KEY("user_id","category_id")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"blob" text NOT NULL,
	"extracted_text" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_user_id_file_id_pk" PRIMARY KEY("user_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "chat_message_versions" (
	"user_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"content" text NOT NULL,
	"provider" text,
	"model" text,
	"is_partial" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chat_message_versions_user_id_message_id_version_pk" PRIMARY KEY("user_id","message_id","version")
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"content_blocks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"url_snapshot_hash" text,
	"reply_to" uuid,
	"provider" text,
	"model" text,
	"usage" jsonb,
	"memories" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_partial" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_messages_user_id_session_id_position_pk" PRIMARY KEY("user_id","session_id","position"),
	CONSTRAINT "chat_messages_message" UNIQUE("user_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "chat_sessions" (
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"title" text,
	"provider" text,
	"model" text,
	"category_id" uuid,
	"is_pinned" boolean DEFAULT false NOT NULL,
	"is_archived" boolean DEFAULT false NOT NULL,
	"initiated_by" text,
	"message_count" integer DEFAULT 0 NOT NULL,
	"last_message_preview" text,
	"is_unread" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_sessions_user_id_session_id_pk" PRIMARY KEY("user_id","session_id")
);
--> statement-breakpoint
ALTER TABLE "agent_exchanges" ADD CONSTRAINT "agent_exchanges_agent_fk" FOREIGN KEY ("user_id","slug") REFERENCES "public"."agents"("user_id","slug") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_categories" ADD CONSTRAINT "session_categories_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message_versions" ADD CONSTRAINT "chat_message_versions_message_fk" FOREIGN KEY ("user_id","message_id") REFERENCES "public"."chat_messages"("user_id","message_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_session_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."chat_sessions"("user_id","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_sessions_list" ON "chat_sessions" USING btree ("user_id","is_archived","is_pinned","updated_at","session_id");