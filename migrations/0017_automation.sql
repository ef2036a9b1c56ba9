-- Reflexes act on what happens: what they are, each firing once, the devices and signals that they sense, and handlers that admins switched.
CREATE TABLE "reflex_firings" (
	"user_id" uuid NOT NULL,
	"firing_id" uuid NOT NULL,
	"reflex_id" uuid NOT NULL,
	"event_key" text NOT NULL,
	"event" jsonb NOT NULL,
	"state" text NOT NULL,
	"is_confirmed" boolean DEFAULT false NOT NULL,
	"held_by" text,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reflex_firings_user_id_firing_id_pk" PRIMARY KEY("user_id","firing_id"),
	CONSTRAINT "reflex_firings_event" UNIQUE("user_id","reflex_id","event_key")
);
--> statement-breakpoint
CREATE TABLE "reflexes" (
	"user_id" uuid NOT NULL,
	"reflex_id" uuid NOT NULL,
	"name" text NOT NULL,
	"trigger_type" text NOT NULL,
	"trigger" jsonb NOT NULL,
	"conditions" jsonb NOT NULL,
	"action" jsonb NOT NULL,
	"does_confirm" boolean NOT NULL,
	"is_enabled" boolean NOT NULL,
	"disabled_reason" text,
	"skips_always" boolean DEFAULT false NOT NULL,
	"sealed_secret" text,
	"next_at" timestamp (3) with time zone,
	"chat_session_id" uuid,
	"hour_began" timestamp (3) with time zone,
	"hour_count" integer DEFAULT 0 NOT NULL,
	"last_fired_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reflexes_user_id_reflex_id_pk" PRIMARY KEY("user_id","reflex_id")
);
--> statement-breakpoint
CREATE TABLE "handler_states" (
	"registry_type" text NOT NULL,
	"name" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"reason" text NOT NULL,
	"changed_by" uuid NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "handler_states_registry_type_name_pk" PRIMARY KEY("registry_type","name")
);
--> statement-breakpoint
CREATE TABLE "sense_devices" (
	"user_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"device_name" text NOT NULL,
	"capabilities" text[] DEFAULT '{}' NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"signal_count" integer DEFAULT 0 NOT NULL,
	"last_signal_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sense_devices_user_id_device_id_pk" PRIMARY KEY("user_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "sense_signals" (
	"user_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"signal_id" uuid NOT NULL,
	"signal_type" text NOT NULL,
	"value" jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"sameness" text,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sense_signals_user_id_device_id_signal_id_pk" PRIMARY KEY("user_id","device_id","signal_id"),
	CONSTRAINT "sense_signals_sameness" UNIQUE("user_id","device_id","sameness")
);
--> statement-breakpoint
ALTER TABLE "reflex_firings" ADD CONSTRAINT "reflex_firings_reflex_fk" FOREIGN KEY ("user_id","reflex_id") REFERENCES "public"."reflexes"("user_id","reflex_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reflexes" ADD CONSTRAINT "reflexes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sense_devices" ADD CONSTRAINT "sense_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sense_signals" ADD CONSTRAINT "sense_signals_device_fk" FOREIGN KEY ("user_id","device_id") REFERENCES "public"."sense_devices"("user_id","device_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reflex_firings_list" ON "reflex_firings" USING btree ("user_id","reflex_id","firing_id");--> statement-breakpoint
CREATE INDEX "reflex_firings_open" ON "reflex_firings" USING btree ("updated_at") WHERE state in ('pending', 'waiting');--> statement-breakpoint
CREATE INDEX "reflex_firings_created" ON "reflex_firings" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "reflexes_active" ON "reflexes" USING btree ("user_id","trigger_type") WHERE is_enabled and not skips_always;--> statement-breakpoint
CREATE INDEX "reflexes_next" ON "reflexes" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "sense_signals_received" ON "sense_signals" USING btree ("received_at");