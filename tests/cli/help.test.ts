import { expect, test } from 'bun:test'
import type { Command } from 'commander'
import { createProgram } from '../../cli/parse/program.ts'

/** A program that only parses its arguments; `printed` is its output. */
const reading = () => {
  const printed: string[] = []
  let ran = 0
  const run = async () => void ran++
  const io = { print: (text: string) => void printed.push(text), message: () => {} }
  return { program: createProgram(io, run, run), printed, ran: () => ran }
}

const paths = (command: Command, path: string[] = []): string[][] =>
  command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return [here, ...paths(child, here)]
  })

const helpOf = async (path: string[]): Promise<string> => {
  const { program, printed } = reading()
  await program.parseAsync(['bun', 'svc', ...path, '--help']).catch(() => {})
  return printed.join('\n')
}

const commands = paths(reading().program).filter(([name]) => name !== '__complete')

test('the examples in the help are valid commands', async () => {
  const help = (await Promise.all(commands.map(helpOf))).join('\n')
  const examples = [...help.matchAll(/^ {2}(?:.* \| )?svc ([^|<\n]*)/gm)].map(
    ([, typed = '']) => typed,
  )
  expect(examples.length).toBeGreaterThan(12)
  for (const typed of examples) {
    const words = [...typed.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    )
    const { program, ran } = reading()
    await program.parseAsync(['bun', 'svc', ...words])
    expect([typed, ran()]).toEqual([typed, 1])
  }
})

test('every command, option and argument has a description', async () => {
  for (const path of commands) {
    const help = await helpOf(path)
    expect(help).toStartWith(`Usage: svc ${path.join(' ')}`)
    expect(help.split('\n')[2]).toMatch(/^[A-Z]/)
    // An option without a description would be alone in its line.
    expect(help).not.toMatch(/^ {2}--[a-z-]+( <\w+>)?$/m)
  }
})
