import postgres from 'postgres'

/** Runs statements without parameters on a database. @returns the rows of a single one. */
export const runOn = async (url: string, statements: string) => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  return sql.unsafe(statements).finally(() => sql.end())
}

/** The URL of a database on a server. */
export const urlOf = (server: string, database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** The servers of a Citus cluster, by the URL of a database of its coordinator, which comes first. */
export const nodesOf = async (coordinator: string): Promise<string[]> => {
  const workers = await runOn(
    coordinator,
    'select nodename, nodeport from pg_dist_node where groupid > 0 order by groupid',
  )
  const urls = workers.map(({ nodename, nodeport }) => {
    const url = new URL(coordinator)
    url.hostname = nodename
    url.port = String(nodeport)
    return url.href
  })
  return [coordinator, ...urls]
}

/** Makes databases with one name on all nodes know each other. They must be empty. */
export const connectNodes = async (
  nodes: string[],
  database: string,
  shards: number,
): Promise<void> => {
  const urls = nodes.map((node) => urlOf(node, database))
  await Promise.all(urls.map((url) => runOn(url, 'create extension citus')))
  const [coordinator = '', ...workers] = nodes.map((node) => {
    const { hostname, port } = new URL(node)
    return `'${hostname}', ${port}`
  })
  await runOn(
    urls[0] ?? '',
    `alter database ${database} set citus.shard_count = ${shards};
    select citus_set_coordinator_host(${coordinator});
    ${workers.map((worker) => `select citus_add_node(${worker});`).join('\n')}`,
  )
}
