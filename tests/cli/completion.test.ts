import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useServer } from '../harness/server.ts'
import { type Machine, newMachine, signedInMachine } from './svc.ts'

setDefaultTimeout(60_000)

const server = useServer()

/** The candidates that svc prints. */
const candidates = async (machine: Machine, ...words: string[]) => {
  const { stdout } = await machine.svc(['__complete', '--', ...words])
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter(Boolean)
}

test.each([
  [['mem'], ['memories']],
  [
    ['memories', ''],
    ['list', 'show', 'edit', 'delete', 'restore', 'history', 'help'],
  ],
  [['--json', 'memories', 're'], ['restore']],
  [['help', 'keys', 'c'], ['create']],
  [
    ['recall', '--type', 'p'],
    ['procedural', 'preference'],
  ],
  [
    ['recall', '--type', '=', 'p'],
    ['procedural', 'preference'],
  ],
  [
    ['mcp', 'install', '--client', 'c'],
    ['claude-code', 'claude-desktop', 'cursor', 'codex'],
  ],
  [
    ['memories', 'delete', '--p'],
    ['--project', '--permanent', '--profile'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['orgs', 'inv'],
    ['invite', 'invites'],
  ],
  [['admin', 'users', 'sh'], ['show']],
  [
    ['memory', 'h'],
    ['history', 'help'],
  ],
  [['serve', '--po'], ['--port']],
  [['files', 'up'], ['upload']],
  [['admin', 'tier', 'set', 'ben', 'aw'], ['awakened']],
  [['admin', 'handlers', 'enable', 'a'], ['action_types']],
  [
    ['devices', 'signal', 'x', '--type', 'b'],
    ['boolean', 'battery'],
  ],
  [['open', 's'], ['settings']],
  [['reflexes', 'create', ''], [':files']],
  [['import', ''], [':files']],
  [['sync', ''], [':files']],
  [['remember', '--file', ''], [':files']],
  [['sess'], ['sessions']],
  [['memories', 'hi'], ['history']],
  [['recall', '--auth'], ['--author']],
  [['completion', 'f'], ['fish']],
  [['recall', '--', '--t'], []],
  [['nonsense', 'x', ''], []],
])('after svc %j comes %j', async (words, expected) => {
  expect(await candidates(newMachine(), ...words)).toEqual(expected)
})

test.each([
  [['api', 'PA'], ['PATCH']],
  [
    ['api', '/api/memories/'],
    [
      '/api/memories/{memory_id}',
      '/api/memories/{memory_id}/facts',
      '/api/memories/{memory_id}/feedback',
      '/api/memories/{memory_id}/feedback/{feedback_id}',
      '/api/memories/{memory_id}/history',
      '/api/memories/{memory_id}/restore',
      '/api/memories/changes',
      '/api/memories/export',
      '/api/memories/facets',
      '/api/memories/forget',
      '/api/memories/import',
      '/api/memories/restore',
      '/api/memories/values',
      '/api/memories/{memory_id}/related',
    ],
  ],
  [['api', 'POST', '/api/memories/imp'], ['/api/memories/import']],
  [['api', 'GET', '/api/memories/imp'], []],
  [['api', '/api/memories/i'], ['/api/memories/import']],
  [['api', '/api/memories/019a/h'], ['/api/memories/019a/history']],
  [['api', 'api/rec'], ['api/recall']],
  [['api', '/api/me', ''], []],
  [['api', '--input', ''], [':files']],
])('the paths of the contract: after svc %j comes %j', async (words, expected) => {
  expect((await candidates(newMachine(), ...words)).sort()).toEqual(expected.sort())
})

test('ids are completed with the text of their items', async () => {
  const { machine } = await signedInMachine(server.current)
  const { stdout } = await machine.svc(['remember', 'The shed is green.'])
  const id = stdout.trim()
  const short = id.slice(0, 8)
  for (const command of ['show', 'edit', 'delete', 'history'])
    expect(await candidates(machine, 'memories', command, '')).toEqual([short])
  expect(await candidates(machine, 'memory', 'view', '')).toEqual([short])
  expect(await candidates(machine, 'forget', '')).toEqual([short])
  const typed = await machine.svc(['__complete', '--', 'memories', 'show', id.slice(0, 12)])
  expect(typed.stdout).toBe(`${id.slice(0, 12)}\tThe shed is green.\n`)
  expect(await candidates(machine, 'memories', 'restore', '')).toEqual([])
  await machine.svc(['memories', 'delete', short])
  expect(await candidates(machine, 'memories', 'show', '')).toEqual([])
  expect(await candidates(machine, 'memories', 'restore', short.slice(0, 5))).toEqual([short])

  const session = await machine.svc(['api', '/api/sessions', '-f', 'title=Tea', '--jq', '.id'])
  const expected = [session.stdout.slice(0, 8)]
  expect(await candidates(machine, 'sessions', 'show', '')).toEqual(expected)
  expect(await candidates(machine, 'chat', '--session', '')).toEqual(expected)
  const keys = await machine.svc(['__complete', '--', 'keys', 'revoke', ''])
  expect(keys.stdout).toMatch(/^[0-9a-f]{8}\t.+ \(svc_\w{4}…\)\n$/)
})

test('agents, files and categories are completed', async () => {
  const { machine } = await signedInMachine(server.current)
  machine.cwd = machine.env.HOME ?? ''
  await machine.svc(['talk', '--agent', 'reviewer', 'The build is green.'])
  writeFileSync(join(machine.cwd, 'notes.md'), '# Notes')
  const { stdout: file } = await machine.svc(['files', 'upload', 'notes.md'])
  const { stdout: category } = await machine.svc(['categories', 'create', 'Travel'])
  expect(await candidates(machine, 'agents', 'edit', '')).toEqual(['reviewer'])
  expect(await candidates(machine, 'talk', '--agent', '')).toEqual(['reviewer'])
  expect(await candidates(machine, 'files', 'download', '')).toEqual([file.slice(0, 8)])
  expect(await candidates(machine, 'categories', 'edit', '')).toEqual([category.slice(0, 8)])
})

test('shares, members and users are completed with their names', async () => {
  const [ada, ben] = [await newVerifiedUser(server.current), await newVerifiedUser(server.current)]
  await claimAdmin(server.current, ada)
  const { machine } = await signedInMachine(server.current, server.current.url, ada)
  const api = async (...args: string[]) => (await machine.svc(['api', ...args])).stdout.trim()
  const session = await api('/api/sessions', '-f', 'title=Tea', '--jq', '.id')
  const shared = await machine.svc(['share', 'create', session])
  expect(await candidates(machine, 'share', 'revoke', '')).toEqual([
    shared.stdout.trim().split('/').at(-1) ?? '',
  ])
  const emails = await candidates(machine, 'admin', 'users', 'show', ben.email.slice(0, 12))
  expect(emails).toEqual([ben.email])
  const username = await api(`/api/admin/users/${ben.id}`, '--jq', '.username')
  await machine.svc(['messages', 'send', username, 'Hello.'])
  for (const command of ['read', 'send'])
    expect(await candidates(machine, 'messages', command, '')).toEqual([username])
  await machine.svc(['orgs', 'create', 'Analytics'])
  expect(await candidates(machine, '--org', 'Analytics', 'orgs', 'role', '')).toEqual([
    await api('/api/profile', '--jq', '.username'),
  ])
  expect(await candidates(machine, 'orgs', 'remove', '')).toEqual([])
})

test('without a sign-in or a server, no id is completed and nothing is printed', async () => {
  for (const machine of [newMachine(server.current.url), newMachine('http://127.0.0.1:1')]) {
    const options = { env: { SVC_API_KEY: 'svc_x' } }
    for (const words of [
      ['memories', 'show', ''],
      ['keys', 'revoke', ''],
      ['memories', 'show', 'x'],
    ])
      expect(await machine.svc(['__complete', '--', ...words], options)).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      })
  }
})

test('every command but the hidden one is completed', async () => {
  const machine = newMachine()
  const { stdout } = await machine.svc(['--help'])
  const commands = [...stdout.matchAll(/^ {2}([a-z]\w*) /gm)].map(([, name = '']) => name)
  expect((await candidates(machine, '')).sort()).toEqual(commands.sort())
})

test('open takes every area of the navigation of the console', async () => {
  const console = join(import.meta.dir, '../../console')
  const files = ['shell/areas.ts', ...new Glob('areas/*/feature.ts').scanSync(console)]
  const areas = files.flatMap((name) => [
    ...readFileSync(join(console, name), 'utf8').matchAll(/\{ to: '\/(\w+)', .*\bkey: '/g),
  ])
  expect((await candidates(newMachine(), 'open', '')).toSorted()).toEqual(
    areas.map(([, area = '']) => area).toSorted(),
  )
})

test('profile names are completed', async () => {
  const machine = newMachine()
  mkdirSync(machine.configDir)
  const profile = { url: 'http://x', api_key: 'svc_secret', email: 'a@x' }
  writeFileSync(
    machine.credentialsFile,
    JSON.stringify({ profiles: { work: profile, home: profile } }),
  )
  expect(await candidates(machine, 'whoami', '--profile', 'w')).toEqual(['work'])
  writeFileSync(machine.credentialsFile, '{')
  expect(await candidates(machine, '--profile', '')).toEqual([])
})

/** The completions of a shell that has loaded the script. */
const shells = {
  bash: (line: string[]) => `
    source "$SCRIPT"
    COMP_WORDS=(svc ${line.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${line.length}
    compopt() { echo "files"; }
    _svc
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line: string[]) => `
    compdef() { :; }
    _describe() { printf '%s\\n' "\${(@)\${(@P)2}%%:*}"; }
    _files() { echo "files"; }
    source "$SCRIPT"
    words=(svc ${line.map((word) => `'${word}'`).join(' ')})
    CURRENT=$#words
    _svc`,
  fish: (line: string[]) => `
    source $SCRIPT
    complete -C 'svc ${line.join(' ')}' | string replace -r '\\t.*' ''`,
} as const

const runIn = async (shell: keyof typeof shells, machine: Machine, line: string[]) => {
  const SCRIPT = join(machine.env.HOME ?? '', 'completion')
  writeFileSync(SCRIPT, (await machine.svc(['completion', shell])).stdout)
  const child = Bun.spawn([shell, '-c', shells[shell](line)], {
    env: { ...machine.env, TERM: 'dumb', SCRIPT },
    cwd: machine.env.HOME ?? '',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n').sort()
}

// CI has all three shells (`.ci/run`); elsewhere only installed ones are tested.
for (const shell of ['bash', 'zsh', 'fish'] as const)
  test.skipIf(!process.env.CI && !Bun.which(shell))(
    `${shell} completes commands, options, values, ids, paths and files`,
    async () => {
      const { machine } = await signedInMachine(server.current)
      const { stdout: id } = await machine.svc(['remember', 'The shed: it is green.'])
      const short = id.slice(0, 8)
      expect(await runIn(shell, machine, ['memories', 'show', short.slice(0, 4)])).toEqual([short])
      expect(await runIn(shell, machine, ['api', 'GET', '/api/memories/{memory_id}/h'])).toEqual([
        '/api/memories/{memory_id}/history',
      ])
      writeFileSync(`${machine.env.HOME}/notes.ndjson`, '')
      expect(await runIn(shell, machine, ['recall', '--auth'])).toEqual(['--author'])
      const files = await runIn(shell, machine, ['import', 'no'])
      expect(files).toContain(shell === 'fish' ? 'notes.ndjson' : 'files')
    },
  )

test('completion defaults to the login shell, and an unsupported shell is a usage error', async () => {
  const machine = newMachine()
  const own = await machine.svc(['completion'], { env: { SHELL: '/usr/bin/fish' } })
  expect(own).toMatchObject({ code: 0, stdout: (await machine.svc(['completion', 'fish'])).stdout })
  expect(await machine.svc(['completion'], { env: { SHELL: '/bin/csh' } })).toMatchObject({
    code: 2,
  })
  expect(await machine.svc(['completion', 'csh'])).toMatchObject({ code: 2, stdout: '' })
})
