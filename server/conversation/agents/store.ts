import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type AgentExchangeRow, type AgentRow, agentExchanges, agents } from './table.ts'

const isAgent = (userId: string, slug: string) =>
  and(eq(agents.userId, userId), eq(agents.slug, slug))

/** @returns undefined when there is one of that name already. */
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

/** Holds an agent until the end of the transaction. */
export const holdAgent = async (
  tx: Db,
  userId: string,
  slug: string,
): Promise<AgentRow | undefined> => {
  const [row] = await tx.select().from(agents).where(isAgent(userId, slug)).for('no key update')
  return row
}

/** By when they last talked, the last one first. */
export const listAgents = (db: Db, userId: string): Promise<AgentRow[]> =>
  db
    .select()
    .from(agents)
    .where(eq(agents.userId, userId))
    .orderBy(desc(sql`coalesce(${agents.lastExchangeAt}, ${agents.createdAt})`), agents.slug)

export const changeAgent = async (
  tx: Db,
  { userId, slug }: Pick<AgentRow, 'userId' | 'slug'>,
  change: Partial<AgentRow>,
): Promise<AgentRow> => {
  const [row] = await tx.update(agents).set(change).where(isAgent(userId, slug)).returning()
  return row as AgentRow
}

/** @returns whether it was there. */
export const deleteAgent = async (db: Db, userId: string, slug: string): Promise<boolean> => {
  const rows = await db.delete(agents).where(isAgent(userId, slug)).returning({ slug: agents.slug })
  return rows.length > 0
}

/** @returns whether the agent is there to count it for. */
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

/** Newest first; `within`: only what was said in that organization, or, for null, in none. */
export const listExchanges = (
  db: Db,
  userId: string,
  slug: string,
  { offset, limit, within }: { offset: number; limit: number; within?: string | null },
): Promise<AgentExchangeRow[]> =>
  db
    .select()
    .from(agentExchanges)
    .where(
      and(
        eq(agentExchanges.userId, userId),
        eq(agentExchanges.slug, slug),
        within === undefined
          ? undefined
          : sql`${agentExchanges.orgId} is not distinct from ${within}::uuid`,
      ),
    )
    .orderBy(desc(agentExchanges.exchangeId))
    .offset(offset)
    .limit(limit)
