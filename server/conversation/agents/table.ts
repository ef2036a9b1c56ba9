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
import type { AgentDefinition } from '../../../shared/contract/agents.ts'
import type { TokenUsage } from '../../../shared/contract/chat-messages.ts'
import { MEMORY_TYPES } from '../../../shared/contract/memories.ts'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** Agents of a user. The first exchange under a slug creates the agent. */
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
    /** The changes that the agent proposes, until the user accepts or declines them. */
    proposal: jsonb().$type<Partial<AgentDefinition>>(),
    proposedAt: instant('proposed_at'),
    /** Declined fields. Agents send the same proposal with every request. */
    declined: jsonb().$type<Partial<AgentDefinition>>().notNull().default({}),
    exchangeCount: integer('exchange_count').notNull().default(0),
    lastExchangeAt: instant('last_exchange_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.slug] })],
)

export type AgentRow = typeof agents.$inferSelect

/** Messages of agents with their completions. */
export const agentExchanges = pgTable(
  'agent_exchanges',
  {
    userId: uuid('user_id').notNull(),
    slug: text().notNull(),
    exchangeId: uuid('exchange_id').notNull(),
    /** The organization in which the agent acted. */
    orgId: uuid('org_id'),
    type: text().notNull().default('exchange'),
    agentMessage: text('agent_message').notNull(),
    icogResponse: text('icog_response').notNull(),
    memoryType: text('memory_type', {
      enum: MEMORY_TYPES,
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
