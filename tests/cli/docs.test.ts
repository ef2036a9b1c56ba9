import { expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { createProgram } from '../../cli/parse/program.ts'
import { isNamed } from '../../cli/parse/synonyms.ts'
import { readPages } from '../docs/page.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { answer, login, newMachine } from './svc.ts'

const server = useSharedServer()

setDefaultTimeout(120_000)

const read = (path: string) => Bun.file(resolve(import.meta.dir, '../..', path)).text()

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

/** The problem of a command in a text, if it has one. */
const problemOf = (typed: string): string | undefined => {
  const nothing = async () => {}
  const program = createProgram({ print: nothing, message: nothing }, nothing, nothing)
  let command = program
  const words = typed.split(/\s+/)
  while (command.commands.length && words[0] && !words[0].startsWith('-')) {
    const child = command.commands.find((each) => isNamed(each, words[0] ?? ''))
    if (!child) return `no command ${words[0]}`
    command = child
    words.shift()
  }
  const known = [...command.options, ...program.options].map(({ long }) => long)
  const unknown = words.find((word) => /^--\w/.test(word) && ![...known, '--help'].includes(word))
  return unknown && `no option ${unknown}`
}

/** Output, and names of database connections, that begin with the name of the command. */
const OTHER_TEXTS = ['is running.', 'failed with 500: …', 'background', 'bulk']

test('the commands within the texts of all pages exist', async () => {
  const pages = await readPages()
  const found = pages.flatMap(({ path, text }) =>
    [...text.replace(/^```.*?^```$/gms, '').matchAll(/`(?:\.\/)?svc ([^`]+)`/g)].map(
      ([, typed = '']) => ({ path, typed, problem: problemOf(typed) }),
    ),
  )
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter(({ problem, typed }) => problem && !OTHER_TEXTS.includes(typed))).toEqual([])
  expect([problemOf('keys revok ID'), problemOf('recall --sinc x')]).toEqual([
    'no command revok',
    'no option --sinc',
  ])
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
  const steps = [...walk.matchAll(/^\$ \.\/svc (.*)\n([\s\S]*?)(?=\n\$|$(?![\s\S]))/gm)]
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
