/** How many changes of an owner's memories are listed. */
export const MAX_RECENT_CHANGES = 64

/**
 * An array of the latest changes of an owner.
 * @param rows a CTE with the `seq` of the memories that change.
 * @param earlier SQL for the changes before.
 */
export const latestChanges = (rows: string, earlier = "'{}'::bigint[]"): string =>
  `(array(select seq from ${rows} limit ${MAX_RECENT_CHANGES}) || ${earlier})[1:${MAX_RECENT_CHANGES}]`

/** Assignments to a row of `memory_stats` that note changes, within the transaction that makes them. */
export const noteChanges = (rows: string): string =>
  `change_count = change_count + (select count(*) from ${rows}),
    recent_changes = ${latestChanges(rows, 'recent_changes')}`
