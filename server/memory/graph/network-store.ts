import type { Query } from '../../platform/db/database.ts'

/** Pages, so that no statement takes long. */
const PAGE = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const NODES = `
select seq, memory_id, thread_no, position from memories
where owner_id = $1 and seq < $2 and deleted_at is null and superseded_by is null
order by seq desc limit $3`

export interface NetworkNodeRow {
  seq: string
  memory_id: string
  thread_no: string
  position: number | null
}

/** The latest `maxNodes` live memories of an owner, the latest first, in pages. */
export async function* pageNodes(
  query: Query,
  ownerId: string,
  maxNodes: number,
): AsyncGenerator<NetworkNodeRow[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (let count = 0; count < maxNodes; ) {
    const limit = Math.min(PAGE, maxNodes - count)
    const rows = await query<NetworkNodeRow>(NODES, [ownerId, before, limit])
    yield rows
    if (rows.length < limit) return
    count += rows.length
    before = Number(rows.at(-1)?.seq)
  }
}

const LINKS = `
select memory_id, other_id, kind from memory_links
where owner_id = $1 and (memory_id, other_id, kind) > ($2, $3, $4)
order by memory_id, other_id, kind limit $5`

interface LinkRow {
  memory_id: string
  other_id: string
  kind: string
}

/** All links of an owner, in pages. */
export async function* pageLinks(query: Query, ownerId: string): AsyncGenerator<LinkRow[]> {
  let last: LinkRow = { memory_id: FIRST_ID, other_id: FIRST_ID, kind: '' }
  for (;;) {
    const { memory_id, other_id, kind } = last
    const rows = await query<LinkRow>(LINKS, [ownerId, memory_id, other_id, kind, PAGE])
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1) ?? last
  }
}
