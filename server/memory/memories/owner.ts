import { sharesTurn } from '../../platform/db/turns.ts'

/**
 * A CTE that keeps the owner, $1, from being deleted until the transaction ends. Whoever deletes an
 * account locks it first and then all of its memories. So what locks several rows of an owner's locks
 * the owner before them: else the two wait for each other.
 */
export const OWNER = `
owner as materialized (select from users where id = $1 and ${sharesTurn('id')} for key share)`

/** A condition that is looked at before any row is, and so before any is locked. */
export const OWNER_IS_THERE = 'exists (select from owner)'
