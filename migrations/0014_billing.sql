-- Usage a month, credits, subscriptions and the events of payments: what decides who may use how much.
CREATE TABLE "billing_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"customer_id" text,
	"given_tier" text,
	"pays_as_they_go" boolean DEFAULT false NOT NULL,
	"balance_micros" bigint DEFAULT 0 NOT NULL,
	"cap_micros" bigint,
	"spent_micros" bigint DEFAULT 0 NOT NULL,
	"spent_period" date,
	CONSTRAINT "billing_accounts_customer_id_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "credit_purchases" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"bought_micros" bigint DEFAULT 0 NOT NULL,
	"paid_back_micros" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"tier" text,
	"status" text,
	"status_at" bigint DEFAULT 0 NOT NULL,
	"status_rank" bigint DEFAULT 0 NOT NULL,
	"paid_at" bigint DEFAULT 0 NOT NULL,
	"failed_at" bigint DEFAULT 0 NOT NULL,
	"period_end" bigint,
	"cancels_at_period_end" boolean DEFAULT false NOT NULL,
	"has_ended" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_counts" (
	"user_id" uuid NOT NULL,
	"period" date NOT NULL,
	"metric" text NOT NULL,
	"used" bigint NOT NULL,
	"paid_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_counts_user_id_period_metric_pk" PRIMARY KEY("user_id","period","metric")
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"event_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "billing_accounts" ADD CONSTRAINT "billing_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_purchases" ADD CONSTRAINT "credit_purchases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_counts" ADD CONSTRAINT "usage_counts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_purchases_user_id" ON "credit_purchases" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "subscriptions_user_id" ON "subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payment_events_received_at" ON "payment_events" USING btree ("received_at");