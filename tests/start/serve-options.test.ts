import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SVC, spawnServer } from '../harness/process.ts'
import { temporaryDirectory } from '../harness/temporary.ts'

setDefaultTimeout(120_000)

test.each(['serve', 'start'])(
  'svc %s --port --host --data-dir override the variables',
  async (command) => {
    const dir = temporaryDirectory('svc-serve-')
    const [wanted, other] = [join(dir, 'wanted'), join(dir, 'other')]
    await using server = spawnServer(
      { SVC_PORT: '1', SVC_HOST: '192.0.2.1', SVC_DATA_DIR: other },
      [],
      [...SVC, command, '--port', '0', '--host', '127.0.0.1', '--data-dir', wanted],
    )
    expect((await fetch(`${await server.url}/api/health`)).status).toBe(200)
    expect([existsSync(join(wanted, 'postgres')), existsSync(other)]).toEqual([true, false])
    server.child.kill('SIGTERM')
    expect(await server.result()).toMatchObject({ code: 0 })
  },
)
