import { fileURLToPath } from 'node:url'
import type { ServerRole } from '../../shared/contract/health.ts'
import { eventually } from '../harness/eventually.ts'
import { quietPort } from '../harness/ports.ts'
import { SVC, spawnServer } from '../harness/process.ts'

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url))

/** A release loads no script and sends no webhook to the test, but starts in half of the time. */
const programFor = (env: Record<string, string>, options: string[]): string[] =>
  env.TEST_WEBHOOK_PORT || options.length
    ? [process.execPath, ...options, SERVE]
    : [...SVC, 'serve']

/** The variables that all processes of a deployment share, besides the database. */
export const SHARED = {
  SVC_AUTH_SECRET: 'the same secret for all of the processes',
  SVC_BASE_URL: 'http://svc.test',
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

/**
 * One process of a deployment, on a port that it keeps when it is started again.
 * @param options of Bun, such as a script to preload.
 */
export const startMember = async (
  role: ServerRole,
  env: Record<string, string>,
  options: string[] = [],
) => {
  const port = await quietPort()
  const url = `http://127.0.0.1:${port}`
  const boot = async () => {
    const variables = { ...env, SVC_ROLE: role, SVC_PORT: String(port) }
    const started = spawnServer(variables, [], programFor(env, options))
    let isOver = false
    void started.child.exited.then(() => {
      isOver = true
    })
    const isReady = async () => isOver || (await statusOf(`${url}/api/ready`)) === 200
    await eventually(isReady)
    if (isOver) throw new Error(`the ${role} ended: ${(await started.result()).stderr}`)
    return started
  }
  let running = await boot()
  return {
    url,
    host: `127.0.0.1:${port}`,
    /** Stops the process as an orchestrator does. @returns its exit code. */
    async stop(): Promise<number> {
      running.child.kill('SIGTERM')
      return (await running.result()).code
    },
    signal: (name: NodeJS.Signals): void => running.child.kill(name),
    ended: (): Promise<number> => running.child.exited,
    async start(): Promise<void> {
      running = await boot()
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
    },
  }
}

export type Member = Awaited<ReturnType<typeof startMember>>
