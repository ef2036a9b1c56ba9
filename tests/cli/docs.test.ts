import { expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { createProgram } from '../../cli/parse/program.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, useServer } from '../harness/server.ts'
import { answer, login, newMachine, signedInMachine } from './svc.ts'

const server = useServer()

setDefaultTimeout(120_000)

const read = (path: string) => Bun.file(resolve(import.meta.dir, '../..', path)).text()

test('the commands of the reference work as they are written', async () => {
  const reference = await read('docs/reference/cli.md')
  const commands = [...reference.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    // Signing in needs a browser, and the id to revoke is made up; other tests cover these.
    .filter((line) => !/^alias|^svc (login|logout|verify|keys revoke)/.test(line))
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

/** The help of `svc` is the only documentation of these. */
const onlyInHelp = ['__complete', '--archived', '--before', '--cursor']

test('the reference names every command and every option', async () => {
  const reference = await read('docs/reference/cli.md')
  const nothing = async () => {}
  const program = createProgram({ print: nothing, message: nothing }, nothing, nothing)
  const withChildren = (command: Command): Command[] => [
    command,
    ...command.commands.flatMap(withChildren),
  ]
  const names = program.commands
    .flatMap(withChildren)
    .flatMap((each) => [each.name(), ...each.options.map(({ long }) => long ?? '')])
  expect(names.length).toBeGreaterThan(60)
  expect(names.filter((name) => !reference.includes(name) && !onlyInHelp.includes(name))).toEqual(
    [],
  )
})

/** Replaces the parts that differ from run to run. */
const masked = (text: string) =>
  text
    .replace(/(?<=Code {3}|user_code=)[A-Z0-9-]+/g, 'CODE')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replace(/http:\/\/\S+?:\d+/g, 'SERVER')
    .replace(/\S+@\S+\./g, 'ada@example.com.')

test('the recorded walk in the README matches the output of the commands', async () => {
  const readme = await read('README.md')
  const walk = /<!-- walk -->\n```console\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const steps = [
    ...walk.matchAll(/^\$ npx bun cli\/main\.ts (.*)\n([\s\S]*?)(?=\n\$|$(?![\s\S]))/gm),
  ]
  expect(steps.map(([, command = '']) => command.split(' ')[0])).toEqual([
    'login',
    'remember',
    'recall',
  ])

  const machine = newMachine(server.current.url)
  const user = await newUser(server.current)
  for (const [, command = '', output = ''] of steps) {
    const [name = '', text = ''] = /^(\w+)(?: "(.*)")?$/.exec(command)?.slice(1) ?? []
    const result =
      name === 'login'
        ? await login(machine, (code) => answer(server.current, user, code, true))
        : await machine.svc([name, text])
    expect(masked(`${result.stderr}${result.stdout}`.trim())).toBe(masked(output.trim()))
  }
})
