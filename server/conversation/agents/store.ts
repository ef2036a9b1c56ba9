import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type AgentExchangeRow, type AgentRow, agentExchanges, agents } from './table.ts'

const isAgent = (userId: string, slug: string) =>
  and(eq(agents.userId, userId), eq(agents.slug, slug))

/** @returns undefined where an agent with this slug exists. */
export const insertAgent = async (
  db: Db,
  agent: typeof agents.$inferInsert,
): Promise<AgentRow | undefined> => {
  const [row] = await db.insert(agents).values(agent).onConflictDoNothing().returning()
  return row
}

export const findAgent = async (
  db: Db,
  userId: string,
  slug: string,
): Promise<AgentRow | undefined> => {
  const [row] = await db.select().from(agents).where(isAgent(userId, slug))
  return row
}

/** Locks an agent until the end of the transaction. */
export const lockAgent = async (
  tx: Db,
  userId: string,
  slug: string,
): Promise<AgentRow | undefined> => {
  const [row] = await tx.select().from(agents).where(isAgent(userId, slug)).for('no key update')
  return row
}

/** By their last exchange, newest first. */
export const selectAgents = (db: Db, userId: string): Promise<AgentRow[]> =>
  db
    .select()
    .from(agents)
    .where(eq(agents.userId, userId))
    .orderBy(desc(sql`coalesce(${agents.lastExchangeAt}, ${agents.createdAt})`), agents.slug)

export const updateAgentRow = async (
  tx: Db,
  { userId, slug }: Pick<AgentRow, 'userId' | 'slug'>,
  change: Partial<AgentRow>,
): Promise<AgentRow> => {
  // The slug keeps the statement valid where the change is empty.
  const [row] = await tx
    .update(agents)
    .set({ ...change, slug })
    .where(isAgent(userId, slug))
    .returning()
  return row as AgentRow
}

/** @returns whether the agent existed. */
export const removeAgent = async (db: Db, userId: string, slug: string): Promise<boolean> => {
  const rows = await db.delete(agents).where(isAgent(userId, slug)).returning({ slug: agents.slug })
  return rows.length > 0
}

/** @returns whether the agent exists. */
export const countExchange = async (tx: Db, userId: string, slug: string): Promise<boolean> => {
  const rows = await tx
    .update(agents)
    .set({ exchangeCount: sql`${agents.exchangeCount} + 1`, lastExchangeAt: sql`now()` })
    .where(isAgent(userId, slug))
    .returning({ slug: agents.slug })
  return rows.length > 0
}

export const insertExchange = async (
  tx: Db,
  exchange: typeof agentExchanges.$inferInsert,
): Promise<AgentExchangeRow> => {
  const [row] = await tx.insert(agentExchanges).values(exchange).returning()
  return row as AgentExchangeRow
}

const isExchangeIn = (userId: string, slug: string, orgId: string | null | undefined) =>
  and(
    eq(agentExchanges.userId, userId),
    eq(agentExchanges.slug, slug),
    orgId === undefined
      ? undefined
      : sql`${agentExchanges.orgId} is not distinct from ${orgId}::uuid`,
  )

/** The number of exchanges in an organization, or outside of organizations. */
export const countExchangesIn = (
  db: Db,
  userId: string,
  slug: string,
  orgId: string | null,
): Promise<number> => db.$count(agentExchanges, isExchangeIn(userId, slug, orgId))

/** Newest first. `orgId` selects the exchanges of an organization; null those outside of organizations. */
export const selectExchanges = (
  db: Db,
  userId: string,
  slug: string,
  { offset, limit, orgId }: { offset: number; limit: number; orgId?: string | null | undefined },
): Promise<AgentExchangeRow[]> =>
  db
    .select()
    .from(agentExchanges)
    .where(isExchangeIn(userId, slug, orgId))
    .orderBy(desc(agentExchanges.exchangeId))
    .offset(offset)
    .limit(limit)

/** Deletes the definitions of the agents of a user; their exchanges stay. */
export const resetAgents = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .update(agents)
    .set({
      selfDefinition: null,
      mandate: null,
      boundaries: [],
      agentType: null,
      proposal: null,
      proposedAt: null,
    })
    .where(eq(agents.userId, userId))
}
