import {
  boolean,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AgentDefinition } from '../../../shared/schemas/agents.ts'
import type { TokenUsage } from '../../../shared/schemas/chat-sessions.ts'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** An agent of a person: who it says it is. It is made by the first talk under its name. */
export const agents = pgTable(
  'agents',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    slug: text().notNull(),
    selfDefinition: text('self_definition'),
    mandate: text(),
    boundaries: text().array().notNull().default([]),
    agentType: text('agent_type'),
    /** What it would like to be, until the person accepts or declines; null when it asks for nothing. */
    proposal: jsonb().$type<Partial<AgentDefinition>>(),
    proposedAt: instant('proposed_at'),
    /** What the person declined, field by field: agents say the same with every talk. */
    declined: jsonb().$type<Partial<AgentDefinition>>().notNull().default({}),
    exchangeCount: integer('exchange_count').notNull().default(0),
    lastExchangeAt: instant('last_exchange_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.slug] })],
)

export type AgentRow = typeof agents.$inferSelect

/** What agents said, and what they were answered. */
export const agentExchanges = pgTable(
  'agent_exchanges',
  {
    userId: uuid('user_id').notNull(),
    slug: text().notNull(),
    exchangeId: uuid('exchange_id').notNull(),
    /** The organization that it was said in; null for none. */
    orgId: uuid('org_id'),
    type: text().notNull().default('exchange'),
    agentMessage: text('agent_message').notNull(),
    icogResponse: text('icog_response').notNull(),
    memoryType: text('memory_type', {
      enum: ['semantic', 'episodic', 'procedural', 'preference'],
    })
      .notNull()
      .default('semantic'),
    currentTask: text('current_task'),
    provider: text(),
    model: text(),
    usage: jsonb().$type<TokenUsage>(),
    isPartial: boolean('is_partial').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.slug, table.exchangeId] }),
    foreignKey({
      name: 'agent_exchanges_agent_fk',
      columns: [table.userId, table.slug],
      foreignColumns: [agents.userId, agents.slug],
    }).onDelete('cascade'),
  ],
)

export type AgentExchangeRow = typeof agentExchanges.$inferSelect
