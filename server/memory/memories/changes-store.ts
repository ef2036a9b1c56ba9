/** How many changes of an owner's memories are listed. */
export const MAX_RECENT_CHANGES = 64

/** The latest changes of an owner: SQL for an array of those of a statement, and of those before. */
export const prependChanges = (latest: string, earlier: string): string =>
  `(${latest} || ${earlier})[1:${MAX_RECENT_CHANGES}]`

/** SQL for an array of the \`seq\` of the memories that change. @param rows a CTE. */
export const latestChanges = (rows: string): string =>
  `array(select seq from ${rows} limit ${MAX_RECENT_CHANGES})`

/** Assignments to a row of `memory_stats` that note changes, within the transaction that makes them. */
export const noteChanges = (rows: string): string =>
  `change_count = change_count + (select count(*) from ${rows}),
    recent_changes = ${prependChanges(latestChanges(rows), 'recent_changes')}`
