import { expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { createProgram } from '../../cli/parse/program.ts'
import { newUser, useServer } from '../harness/server.ts'
import { newVerifiedUser } from '../http/support.ts'
import { answer, login, newMachine, signedInMachine } from './svc.ts'

const server = useServer()

setDefaultTimeout(60_000)

const read = (path: string) => Bun.file(resolve(import.meta.dir, '../..', path)).text()

test('the commands of the guide work as they are written', async () => {
  const guide = await read('docs/cli.md')
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    // Signing in takes a browser, and the id to revoke is made up; other tests have these.
    .filter((line) => !/^alias|^svc (login|logout|keys revoke)/.test(line))
  expect(commands.length).toBeGreaterThan(40)

  const user = await newVerifiedUser(server.current)
  const { machine } = await signedInMachine(server.current, server.current.url, user)
  await machine.svc(['login', '--with-token', '--profile', 'work'], { stdin: user.key })
  const svc = machine
    .command()
    .map((word) => `'${word}'`)
    .join(' ')
  const child = Bun.spawn(
    ['bash', '-eo', 'pipefail', '-c', `svc() { ${svc} "$@"; }\n${commands.join('\n')}`],
    { cwd: machine.env.HOME ?? '', env: machine.env, stdin: null, stdout: 'pipe', stderr: 'pipe' },
  )
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(stderr).not.toContain('error:')
  expect(await child.exited).toBe(0)
  expect(stdout).toContain('The boiler is serviced in May.')
})

/** Their help says all there is to say. */
const inHelpAlone = ['__complete', '--archived', '--before', '--cursor']

test('the guide names every command and every option', async () => {
  const guide = await read('docs/cli.md')
  const nothing = async () => {}
  const { commands } = createProgram({ print: nothing, say: nothing }, nothing, nothing)
  const names = commands
    .flatMap((each) => [each, ...each.commands])
    .flatMap((each) => [each.name(), ...each.options.map(({ long }) => long ?? '')])
  expect(names.length).toBeGreaterThan(60)
  expect(names.filter((name) => !guide.includes(name) && !inHelpAlone.includes(name))).toEqual([])
})

/** What differs from walk to walk. */
const masked = (text: string) =>
  text
    .replace(/(?<=Code {3}|user_code=)[A-Z0-9-]+/g, 'CODE')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replace(/http:\/\/\S+?:\d+/g, 'SERVER')
    .replace(/\S+@\S+\./g, 'ada@example.com.')

test('the walk in the README is still what comes of it', async () => {
  const readme = await read('README.md')
  const walk = /<!-- walk -->\n```console\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const steps = [
    ...walk.matchAll(/^\$ npx bun cli\/main\.ts (.*)\n([\s\S]*?)(?=\n\$|$(?![\s\S]))/gm),
  ]
  expect(steps.map(([, typed = '']) => typed.split(' ')[0])).toEqual([
    'login',
    'remember',
    'recall',
  ])

  const machine = newMachine(server.current.url)
  const user = await newUser(server.current)
  for (const [, typed = '', shown = ''] of steps) {
    const [name = '', text = ''] = /^(\w+)(?: "(.*)")?$/.exec(typed)?.slice(1) ?? []
    const ended =
      name === 'login'
        ? await login(machine, (code) => answer(server.current, user, code, true))
        : await machine.svc([name, text])
    expect(masked(`${ended.stderr}${ended.stdout}`.trim())).toBe(masked(shown.trim()))
  }
})
