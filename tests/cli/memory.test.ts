import { expect, test } from 'bun:test'
import { factsOf } from '../harness/facts.ts'
import { useSharedServer } from '../harness/server.ts'
import { machineWithKey } from './svc.ts'

const server = useSharedServer()

test('remember prints the id, and a note if the text is already stored', async () => {
  const { machine } = await machineWithKey(server.current)
  const first = await machine.svc(['remember', 'Ada prefers tea.'])
  const second = await machine.svc(['remember', 'Ada', 'prefers', 'tea.'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(second).toMatchObject({ code: 0, stdout: first.stdout })
  expect(second.stderr).toContain('already exists')
})

test.each([[[]], [['-']]])('remember%p reads stdin', async (args) => {
  const { machine } = await machineWithKey(server.current)
  const text = 'First line – with a dash\n\n  and an indented one'
  const result = await machine.svc(['remember', ...args, '--json'], { stdin: `${text}\n` })
  expect(JSON.parse(result.stdout).content_text).toBe(text)
})

test('remember sends every option, and recall filters by each', async () => {
  const { machine } = await machineWithKey(server.current)
  const result = await machine.svc([
    ...['remember', 'Tea is at four.', '--type', 'episodic', '--tag', 'home', '--tag', 'tea'],
    ...['--thread', 'kitchen', '--author', 'Ada', '--importance', '0.9'],
    ...['--occurred-at', '2026-01-31', '--json'],
  ])
  expect(JSON.parse(result.stdout)).toMatchObject({
    memory_type: 'episodic',
    tags: ['home', 'tea'],
    thread: 'kitchen',
    author: 'Ada',
    importance: 0.9,
    occurred_at: '2026-01-31T00:00:00.000Z',
  })
  const count = async (...options: string[]) => {
    const found = await machine.svc(['recall', 'When is tea?', '--json', ...options])
    return JSON.parse(found.stdout).count
  }
  expect(await count('--type', 'episodic', '--tag', 'tea', '--tag', 'home')).toBe(1)
  expect(await count('--thread', 'kitchen', '--author', 'Ada')).toBe(1)
  expect(await count('--since', '2026-01-31', '--until', '2026-02-01')).toBe(1)
  for (const other of ['--type=semantic', '--tag=work', '--thread=hall', '--author=Bob'])
    expect(await count(other)).toBe(0)
  expect(await count('--since', '2026-02-01')).toBe(0)
  expect(await count('--until', '2026-01-31')).toBe(0)
})

test('requests carry the time zone of the machine, unless it is UTC', async () => {
  const { machine, user } = await machineWithKey(server.current)
  for (const [task, TZ] of [
    ['call Ada', 'Asia/Tokyo'],
    ['call Bob', 'UTC'],
  ] as const) {
    const message = `Remind me tomorrow at 9 to ${task}.`
    // The time zone is that of a process.
    const result = await machine.run(
      ['remember', message, '--occurred-at', '2026-03-06T10:00Z', '--json'],
      { env: { TZ } },
    )
    const facts = await factsOf(user.client, JSON.parse(result.stdout).memory_id)
    expect(facts).toMatchObject([{ value: task, due_at: '2026-03-07T00:00:00.000Z' }])
  }
})

test('recall prints a text for a model within a budget', async () => {
  const { machine } = await machineWithKey(server.current)
  const options = ['--author', 'Ada', '--occurred-at', '2026-01-31']
  for (const colour of ['green', 'blue', 'red'])
    await machine.svc(['remember', `The boiler is ${colour}.`, ...options])
  const ask = (...more: string[]) =>
    machine.svc(['recall', 'Which colour has the boiler?', '--format', 'text', ...more])
  const line = /^- 2026-01-31, Ada: The boiler is \w+\.$/gm
  expect((await ask()).stdout.match(line)).toHaveLength(3)
  const short = await ask('--max-tokens', '20')
  expect(short.stdout.match(line)).toHaveLength(1)
  expect(JSON.parse((await ask('--max-tokens', '20', '--json')).stdout)).toMatchObject({
    count: 1,
    text: short.stdout.trim(),
  })
  expect(await ask('--max-tokens', '0')).toMatchObject({ code: 2, stdout: '' })
  expect((await ask('--max-tokens', '1')).stderr).toContain('No memories found.')
})

test('recall prints the best first with its source, and --explain adds the score parts', async () => {
  const { machine } = await machineWithKey(server.current)
  await machine.svc([
    ...['remember', 'The boiler is serviced in May.', '--author', 'Ada'],
    ...['--thread', 'house', '--occurred-at', '2026-01-31'],
  ])
  await machine.svc(['remember', 'May is warm.'])
  const found = await machine.svc(['recall', 'boiler', 'serviced', 'May', '--explain'])
  expect(found.stderr).toBe('')
  expect(found.stdout).toMatch(
    /^The boiler is serviced in May\.\n2026-01-31 · Ada · thread house · score [\d.]+\nadded: words [\d.]+ × coverage [\d.]+ .*= [\d.]+\n(?:multiplied: .*\n)?\nMay is warm\.\n/,
  )
  const one = await machine.svc(['recall', 'boiler serviced May', '--limit', '1'])
  expect(one.stdout.trim().split('\n')).toHaveLength(2)
})

test('a recall without results prints nothing to stdout and succeeds', async () => {
  const { machine } = await machineWithKey(server.current)
  const found = await machine.svc(['recall', 'zeppelin'])
  expect(found).toMatchObject({ code: 0, stdout: '' })
  expect(found.stderr).toContain('svc remember')
})

test('escape sequences in memories do not reach the terminal', async () => {
  const { machine } = await machineWithKey(server.current)
  const content = 'zebra \x1b[2J\x1b]0;title\x07crossing\x9b31m \x7fend\r\nnext'
  await machine.svc(['remember', '--author', 'A\x1b[31mda\n'], { stdin: content })
  const found = await machine.svc(['recall', 'zebra'])
  expect(found.stdout).toStartWith('zebra crossing end\nnext\n')
  expect(found.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  const json = await machine.svc(['recall', 'zebra', '--json'])
  expect(json.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  expect(JSON.parse(json.stdout).memories[0].content_text).toBe(content)
})

test('a closed stdout ends the output without an error', async () => {
  const { machine } = await machineWithKey(server.current)
  for (const n of [1, 2, 3, 4, 5])
    await machine.svc(['remember'], { stdin: `walrus ${n} ${'and more '.repeat(3500)}` })
  const [command, ...args] = machine.command('recall', 'walrus')
  const piped = Bun.spawn(
    ['bash', '-c', 'set -o pipefail; "$0" "$@" | head -c 6', command ?? '', ...args],
    { env: machine.env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  expect(await piped.stdout.text()).toBe('walrus')
  expect(await piped.stderr.text()).toBe('')
  expect(await piped.exited).toBe(0)
})

test('invalid fields are listed in one line', async () => {
  const { machine } = await machineWithKey(server.current)
  const result = await machine.svc(['recall', 'x', '--limit', '101', '--since', 'yesterday'])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toMatch(/^error: --limit: .*; --since: .*\n.*--help.*\n$/)
})
