import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, machineWithKey, newMachine } from './svc.ts'

const server = useSharedServer()

test('dim lines are used at a terminal, but not with NO_COLOR', async () => {
  const { machine } = await machineWithKey(server.current)
  await machine.svc(['remember', 'Ada prefers tea.'])
  const plain = inTerminal(machine, ['recall', 'tea'], { NO_COLOR: '1' })
  expect(await plain.child.exited).toBe(0)
  expect(plain.seen()).toContain('score')
  expect(plain.seen()).not.toContain('\x1b')
  const colored = inTerminal(machine, ['recall', 'tea'])
  expect(await colored.child.exited).toBe(0)
  expect(colored.seen()).toMatch(/\x1b\[2m.*score.*\x1b\[22m/)
})

test('recall shows a score from 0 to 1, and at a terminal the matching sentence is bold', async () => {
  const { machine } = await machineWithKey(server.current)
  const long = `${'The garden has a shed. '.repeat(60)}Ben repaired the roof in 2024.`
  const { stdout: id } = await machine.svc(['remember', long])
  await machine.svc(['remember', 'It rains. A roof keeps the rain out.'])
  const terminal = inTerminal(machine, ['recall', 'Who repaired the roof?', '--explain'])
  expect(await terminal.child.exited).toBe(0)
  expect(terminal.seen()).toContain('\x1b[1mBen repaired the roof in 2024.\x1b[22m')
  expect(terminal.seen()).toContain('It rains. \x1b[1mA roof keeps the rain out.\x1b[22m')
  expect(terminal.seen()).toContain(`svc show ${id.trim()}`)
  const scores = [...terminal.seen().matchAll(/score ([\d.]+)/g)].map(([, text]) => Number(text))
  expect(scores[0]).toBe(1)
  expect(scores[1]).toBeLessThan(1)
  const piped = await machine.svc(['recall', 'Who repaired the roof?'])
  expect(piped.stdout).toContain(`${long}\n`)
  expect(piped.stdout).not.toContain('\x1b')
})

test('--no-color disables color too', async () => {
  const { machine } = await machineWithKey(server.current)
  await machine.svc(['remember', 'Ada prefers tea.'])
  const plain = inTerminal(machine, ['recall', 'tea', '--no-color'])
  expect(await plain.child.exited).toBe(0)
  expect(plain.seen()).toContain('score')
  expect(plain.seen()).not.toContain('\x1b')
})

test('a dumb terminal gets no escape sequences', async () => {
  const { machine } = await machineWithKey(server.current)
  for (const args of [['doctor'], ['talk', 'Hello.']]) {
    const { child, seen } = inTerminal(machine, args, { TERM: 'dumb' })
    expect(await child.exited).toBe(0)
    expect(seen()).not.toContain('\x1b')
  }
})

test('a spinner is shown while a slow server responds', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  using slow = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => promise })
  const env = { SVC_API_KEY: 'svc_x' }
  const { child, sees, seen } = inTerminal(newMachine(slow.url.origin), ['recall', 'tea'], env)
  await sees(/Waiting for the server …/)
  resolve(Response.json({ memories: [], count: 0 }))
  expect(await child.exited).toBe(0)
  expect(seen()).toMatch(/\r\x1b\[KNo memories found\..*\r\n$/)
})

test('import and export show progress at a terminal, but not with --quiet', async () => {
  const { machine } = await machineWithKey(server.current)
  const file = join(machine.env.HOME ?? '', 'memories.ndjson')
  writeFileSync(file, '{"content":"Ada prefers tea."}\n')
  const imported = inTerminal(machine, ['import', file])
  expect(await imported.child.exited).toBe(0)
  expect(imported.seen()).toMatch(/Waiting for the server to store the rest …[\s\S]*1 imported/)
  const exported = inTerminal(machine, ['export', file])
  expect(await exported.child.exited).toBe(0)
  expect(exported.seen()).toMatch(/1 memory …[\s\S]*1 memory to /)
  const quiet = inTerminal(machine, ['export', file, '--quiet'])
  expect(await quiet.child.exited).toBe(0)
  expect(quiet.seen()).toBe('')
})

test('remember and login --with-token do not read from a terminal', async () => {
  const { machine } = await machineWithKey(server.current)
  for (const args of [['remember'], ['login', '--with-token']]) {
    const { child, seen } = inTerminal(machine, args)
    expect(await child.exited).toBe(2)
    expect(seen()).toContain('Run: svc ')
  }
})

/** A machine whose browser is a script that records the address. */
const machineWithBrowser = () => {
  const machine = newMachine(server.current.url)
  const bin = join(machine.env.HOME ?? '', 'bin')
  const opened = join(bin, 'opened')
  mkdirSync(bin)
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nprintf %s "$1" > ${opened}.new\nmv ${opened}.new ${opened}\n`,
    )
    chmodSync(join(bin, name), 0o755)
  }
  return { machine, opened, bin, env: { PATH: `${bin}:${machine.env.PATH}` } }
}

/** Runs svc until it has opened a page. */
const pageOpenedBy = async (args: string[]) => {
  const { machine, opened, bin, env } = machineWithBrowser()
  const written = new Promise<void>((resolve) => {
    const watcher = watch(bin, () => {
      if (!existsSync(opened)) return
      watcher.close()
      resolve()
    })
  })
  const { child } = inTerminal(machine, args, env)
  await written
  return { child, page: readFileSync(opened, 'utf8') }
}

test('login opens the page of its code in the browser', async () => {
  const { child, page } = await pageOpenedBy(['login'])
  expect(page).toMatch(new RegExp(`^${server.current.baseUrl}/device\\?user_code=[A-Z0-9-]+$`))
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
})

test('open opens an area of the console in the browser', async () => {
  const { child, page } = await pageOpenedBy(['open', 'automation'])
  expect(page).toBe(`${server.current.url}/app/automation`)
  expect(await child.exited).toBe(0)
})

test('open prints the address where no browser can be opened', async () => {
  const page = `${server.current.url}/app`
  const machine = newMachine(server.current.url)
  expect(await machine.svc(['open'])).toEqual({ code: 0, stdout: `${page}\n`, stderr: '' })
  const { stdout } = await machine.svc(['open', '--json'])
  expect(JSON.parse(stdout)).toEqual({ url: page, opened: false })
})
