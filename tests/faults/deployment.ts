import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Link, startLink } from '../harness/link.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { type Member, SHARED, startMember } from '../scale/support.ts'
import { type FaultyPostgres, startFaultyPostgres } from './postgres.ts'

/** A process of svc and its connection to PostgreSQL. */
export interface Node {
  name: string
  role: 'web' | 'worker'
  process: Member
  link: Link
}

export interface Deployment extends AsyncDisposable {
  nodes: Node[]
  webs: Node[]
  postgres: FaultyPostgres
}

/** Two web and two worker processes on one PostgreSQL. Webhooks reach `webhookPort` of this machine. */
export const startDeployment = async (webhookPort: number): Promise<Deployment> => {
  await using opened = new AsyncDisposableStack()
  const postgres = opened.use(await startFaultyPostgres())
  const dataDir = join(temporaryDirectory('svc-test-nodes-'), 'data')
  mkdirSync(dataDir)
  const startNode = async (role: Node['role'], number: number): Promise<Node> => {
    const link = opened.use(await startLink(postgres.port))
    const process = opened.use(
      await startMember(role, {
        ...SHARED,
        SVC_DATA_DIR: dataDir,
        SVC_DATABASE_URL: postgres.url(link.port),
        SVC_DEFAULT_TIER: 'conscious',
        SVC_TRUSTED_PROXIES: '127.0.0.1',
        SVC_LOG_LEVEL: 'error',
        TEST_WEBHOOK_PORT: String(webhookPort),
      }),
    )
    return { name: `${role} ${number}`, role, process, link }
  }
  const nodes = [
    await startNode('web', 1),
    await startNode('web', 2),
    await startNode('worker', 1),
    await startNode('worker', 2),
  ]
  const owned = opened.move()
  return {
    nodes,
    webs: nodes.filter(({ role }) => role === 'web'),
    postgres,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
