import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { useServer } from '../harness/server.ts'
import { signedInMachine } from './svc.ts'

const server = useServer()

test('the commands of the guide work as they are written', async () => {
  const guide = await Bun.file(resolve(import.meta.dir, '../../docs/cli.md')).text()
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    // Signing in takes a browser, and the id to revoke is made up; other tests have these.
    .filter((line) => !/^alias|^svc (login|logout|keys revoke)/.test(line))
  expect(commands.length).toBeGreaterThan(8)

  const { user, machine } = await signedInMachine(server.current)
  await machine.svc(['login', '--with-token', '--profile', 'work'], { stdin: user.key })
  const svc = machine
    .command()
    .map((word) => `'${word}'`)
    .join(' ')
  const child = Bun.spawn(
    ['bash', '-eo', 'pipefail', '-c', `svc() { ${svc} "$@"; }\n${commands.join('\n')}`],
    { cwd: machine.env.HOME ?? '', env: machine.env, stdout: 'pipe', stderr: 'pipe' },
  )
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(stderr).not.toContain('error:')
  expect(await child.exited).toBe(0)
  expect(stdout).toContain('The boiler is serviced in May.')
})
