import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hasPrograms, PATH } from '../harness/programs.ts'
import { createProject } from './npm-project.ts'
import { temporaryScript as pythonScript, runPython } from './python.ts'
import { startRecorder } from './recording-proxy.ts'
import { says, startScripted } from './scripted-server.ts'

setDefaultTimeout(120_000)

const SCRIPT = `
import { createClient } from 'svc-client'
const { id } = await createClient().account.me()
console.log(id)
`

/** `TEST_NODE` names a Node.js that reads the variables of proxies, from version 22.21 or 24. */
const NODE = process.env.TEST_NODE ?? 'node'

const RUNTIMES: [name: string, run: (env: Record<string, string>) => Promise<string>][] = [
  ['Node.js', (env) => runScript([NODE], { NODE_USE_ENV_PROXY: '1', ...env })],
  ['Bun', (env) => runScript([process.execPath], { BUN_BE_BUN: '1', ...env })],
  [
    'Python',
    (env) =>
      runPython(pythonScript('import svc_client\nprint(svc_client.Svc().account.me()["id"])'), {
        env,
      }),
  ],
  ['Python with asyncio', (env) => runPython(pythonScript(ASYNC), { env })],
]

const ASYNC = `
import asyncio
from svc_client.aio import AsyncSvc

async def main():
    async with AsyncSvc() as svc:
        print((await svc.account.me())["id"])

asyncio.run(main())
`

let project: ReturnType<typeof createProject> | undefined

/** Runs the script in a project that has the package. */
const runScript = async (command: string[], env: Record<string, string>): Promise<string> => {
  project ??= createProject('npm')
  const { directory, write } = await project
  await write('me.js', SCRIPT)
  const child = Bun.spawn([...command, 'me.js'], {
    cwd: directory,
    env: { PATH, HOME: directory, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(errors)
  return output
}

describe('a request to this machine passes no proxy of the environment', () => {
  for (const [name, run] of RUNTIMES)
    for (const host of ['127.0.0.1', 'localhost'])
      test.skipIf(!hasPrograms(name.startsWith('Python') ? 'python3' : 'node'))(
        `${name} at ${host}`,
        async () => {
          await using proxy = await startRecorder()
          await using server = await startScripted(says(200, { id: 'a', email: 'ada@example.com' }))
          const url = server.url.replace('127.0.0.1', host)
          const output = await run({ ...proxy.env, SVC_URL: url, SVC_API_KEY: 'svc_key' })
          expect([output, proxy.seen]).toEqual(['a\n', []])
          expect(server.received[0]?.headers.authorization).toBe('Bearer svc_key')
        },
      )
})
