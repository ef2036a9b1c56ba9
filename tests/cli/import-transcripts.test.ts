import { expect, test } from 'bun:test'
import { capture, deleteCapture, listCaptures, listMemories } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { useSharedServer } from '../harness/server.ts'
import { machineWithKey, newMachine } from './svc.ts'
import {
  codexLines,
  codexPath,
  jsonLines,
  timeOf,
  writeCodex,
  writeFile,
  writeOpenCode,
} from './transcript-files.ts'

const server = useSharedServer()

const SESSION = '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d'
const OTHER = '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3e'
const turn = (number: number, prompt: string, answer = `Answer ${number}.`) => ({
  id: `01a209cb-2259-78b2-8e41-b4044744b86${number}`,
  prompt,
  answer,
})

const startUser = async () => {
  const { machine, user } = await machineWithKey(server.current)
  const { client } = user
  const importFrom = (assistant: string, ...options: string[]) =>
    machine.svc(['import', '--from', assistant, '--yes', ...options])
  /** The stored texts with their role, oldest first. */
  const stored = async () => {
    const { memories } = await client.call(listMemories, { query: { limit: 100 } })
    return memories
      .toReversed()
      .map(({ content_text, author }) => [
        author === 'assistant' ? 'assistant' : 'user',
        content_text,
      ])
  }
  return { machine, client, importFrom, stored }
}

test('the conversations of Codex are imported with their thread, time, project and channel, once', async () => {
  const { machine, client, importFrom, stored } = await startUser()
  writeCodex(machine, {
    session: SESSION,
    turns: [turn(1, 'The cat is named Minka.', 'Noted.'), turn(2, 'yes'), turn(3, 'yes')],
  })
  const result = await importFrom('codex')
  expect(result).toEqual({
    code: 0,
    stdout: '6 messages imported, 0 already stored\n',
    stderr: 'Codex: 6 messages in 1 session.\n',
  })
  expect(await stored()).toEqual([
    ['user', 'The cat is named Minka.'],
    ['assistant', 'Noted.'],
    ['user', 'yes'],
    ['assistant', 'Answer 2.'],
    ['user', 'yes'],
    ['assistant', 'Answer 3.'],
  ])
  const { memories } = await client.call(listMemories, { query: { thread: `codex:${SESSION}` } })
  expect(memories.at(-1)).toMatchObject({
    position: 1,
    occurred_at: timeOf(6),
    source: { kind: 'prompt', ref: 'import:codex', trust: 'imported' },
    metadata: { client: 'codex', session: SESSION, turn: turn(1, '').id },
    project: 'shop',
  })
  expect((await importFrom('codex')).stdout).toBe('0 messages imported, 6 already stored\n')
})

test('turns that hooks stored, and deleted ones, are not imported again', async () => {
  const { machine, client, importFrom, stored } = await startUser()
  const [first, second] = [turn(1, 'The cat is named Minka.'), turn(2, 'The dog is named Rex.')]
  await client.call(capture, {
    body: {
      client: 'codex',
      session: SESSION,
      channel: 'hook',
      messages: [
        { turn: first.id, role: 'user', content: first.prompt },
        { turn: first.id, role: 'assistant', content: first.answer },
      ],
    },
  })
  await client.call(deleteCapture, { query: { client: 'codex', session: SESSION } })
  writeCodex(machine, { session: SESSION, turns: [first, second] })
  expect((await importFrom('codex')).stdout).toBe('2 messages imported, 2 already stored\n')
  expect(await stored()).toEqual([
    ['user', 'The dog is named Rex.'],
    ['assistant', 'Answer 2.'],
  ])
})

test('the answer of an aborted turn, subagents and copied turns of a fork are not imported', async () => {
  const { machine, importFrom, stored } = await startUser()
  const { id, prompt } = turn(1, 'Rename it.')
  writeCodex(machine, { session: SESSION, turns: [{ id, prompt }] })
  writeCodex(machine, { session: OTHER, turns: [{ id, prompt }, turn(2, 'Forked.')] })
  writeCodex(machine, {
    session: '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3f',
    source: { subagent: { thread_spawn: { parent_thread_id: SESSION } } },
    turns: [turn(3, 'Written by an assistant.')],
  })
  expect((await importFrom('codex')).stdout).toBe('3 messages imported, 0 already stored\n')
  expect(await stored()).toEqual([
    ['user', 'Rename it.'],
    ['user', 'Forked.'],
    ['assistant', 'Answer 2.'],
  ])
})

test('transcripts of older versions of Codex, also compressed and archived ones, are imported', async () => {
  const { machine, importFrom, stored } = await startUser()
  const item = (role: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
  })
  const event = (type: string, message: string) => ({
    type: 'event_msg',
    payload: { type, message },
  })
  const meta = { type: 'session_meta', payload: { id: SESSION, cwd: '/home/ada/shop' } }
  const lines = [
    meta,
    item(
      'user',
      '# AGENTS.md instructions for /home/ada/shop\n<INSTRUCTIONS>Be brief.</INSTRUCTIONS>',
    ),
    item('user', '<environment_context>\n</environment_context>'),
    item('user', 'First.'),
    event('user_message', 'First.'),
    event('agent_message', 'One.'),
    item('assistant', 'One.'),
    item('user', 'Second.'),
    event('user_message', 'Second.'),
    event('agent_message', 'Looking.'),
    event('agent_message', 'Two.'),
  ]
  const archived = `.codex/archived_sessions/rollout-2026-03-01T10-00-00-${SESSION}.jsonl.zst`
  writeFile(machine, archived, Bun.zstdCompressSync(jsonLines(lines)))
  expect((await importFrom('codex')).stdout).toBe('4 messages imported, 0 already stored\n')
  expect(await stored()).toEqual([
    ['user', 'First.'],
    ['assistant', 'One.'],
    ['user', 'Second.'],
    ['assistant', 'Two.'],
  ])
})

test('the conversations of Claude Code are imported without what it adds itself', async () => {
  const { machine, client, importFrom, stored } = await startUser()
  const line = (type: string, content: unknown, fields: object = {}) => ({
    type,
    sessionId: SESSION,
    cwd: '/home/ada/shop',
    isSidechain: false,
    timestamp: timeOf(1),
    message: { role: type, id: 'msg_1', content },
    ...fields,
  })
  const text = (value: string) => [{ type: 'text', text: value }]
  const path = `.claude/projects/-home-ada-shop/${SESSION}.jsonl`
  writeFile(
    machine,
    path,
    jsonLines([
      { type: 'file-history-snapshot', snapshot: {} },
      line('user', 'Caveat: local commands', { isMeta: true }),
      line('user', '<command-name>/model</command-name>\n<command-args>opus</command-args>'),
      line('user', '<local-command-stdout>Set model</local-command-stdout>'),
      line('user', 'We deploy to Hetzner.\n<system-reminder>Be careful.</system-reminder>', {
        promptId: 'p1',
      }),
      line('assistant', [{ type: 'thinking', thinking: 'Reasoning' }]),
      line('assistant', text('I will note it.')),
      line('assistant', [{ type: 'tool_use', name: 'Bash', input: {} }]),
      line('user', [{ type: 'tool_result', content: 'Tool output' }], { promptId: 'p1' }),
      line('user', 'Of a subagent', { isSidechain: true }),
      line('assistant', text('Noted.'), { message: { id: 'msg_2', content: text('Noted.') } }),
      line('user', '<task-notification>Done</task-notification>', {
        promptId: 'p2',
        origin: { kind: 'task-notification' },
      }),
      line('user', 'This session is being continued', { isCompactSummary: true }),
      line('user', '<command-name>/review</command-name>\n<command-args>the login</command-args>', {
        promptId: 'p3',
      }),
      line('assistant', text('It is fine.'), {
        message: { id: 'msg_3', content: text('It is fine.') },
      }),
      line('user', 'Stop at once', { promptId: 'p4' }),
      line('assistant', text('Not the end'), {
        message: { id: 'msg_4', content: text('Not the end') },
      }),
      line('user', text('[Request interrupted by user]'), { promptId: 'p4' }),
    ]),
  )
  writeFile(machine, `.claude/projects/-home-ada-shop/${SESSION}/subagents/agent-a.jsonl`, '')
  expect((await importFrom('claude-code')).stdout).toBe('5 messages imported, 0 already stored\n')
  expect(await stored()).toEqual([
    ['user', 'We deploy to Hetzner.'],
    ['assistant', 'Noted.'],
    ['user', '/review the login'],
    ['assistant', 'It is fine.'],
    ['user', 'Stop at once'],
  ])
  const { memories } = await client.call(listMemories)
  expect(memories.map(({ metadata }) => metadata.turn)).toEqual(['3', '2', '2', '1', '1'])
})

test('the conversations of OpenCode are imported from its database and from its files', async () => {
  const { machine, importFrom, stored } = await startUser()
  const messages = [
    {
      id: 'msg_1',
      data: { role: 'user' },
      parts: [
        { type: 'text', text: 'The cat is named Minka.' },
        { type: 'text', text: 'A file', synthetic: true },
        { type: 'file', url: 'file:///home/ada/shop/cat.txt' },
      ],
    },
    {
      id: 'msg_2',
      data: { role: 'assistant', parentID: 'msg_1', finish: 'tool-calls' },
      parts: [
        { type: 'reasoning', text: 'Reasoning' },
        { type: 'text', text: 'I will look.' },
        { type: 'tool', state: { output: 'Tool output' } },
      ],
    },
    {
      id: 'msg_3',
      data: { role: 'assistant', parentID: 'msg_1', finish: 'stop' },
      parts: [{ type: 'text', text: 'Noted.' }],
    },
    { id: 'msg_4', data: { role: 'user' }, parts: [{ type: 'compaction', auto: true }] },
    {
      id: 'msg_5',
      data: { role: 'assistant', parentID: 'msg_4', summary: true },
      parts: [{ type: 'text', text: 'Summary' }],
    },
  ]
  writeOpenCode(machine, [
    { id: 'ses_1', messages },
    {
      id: 'ses_2',
      parent: 'ses_1',
      messages: [{ ...messages[0], id: 'msg_6' } as (typeof messages)[0]],
    },
  ])
  expect((await importFrom('opencode')).stdout).toBe('2 messages imported, 0 already stored\n')
  const texts = [
    ['user', 'The cat is named Minka.'],
    ['assistant', 'Noted.'],
  ]
  expect(await stored()).toEqual(texts)

  const older = await startUser()
  const storage = '.local/share/opencode/storage'
  const write = (path: string, value: object) =>
    writeFile(older.machine, `${storage}/${path}.json`, JSON.stringify(value))
  write('session/project/ses_1', { id: 'ses_1', directory: '/home/ada/shop' })
  for (const { id, data, parts } of messages) {
    write(`message/ses_1/${id}`, { id, ...data })
    for (const [index, part] of parts.entries()) write(`part/${id}/prt_${index}`, part)
  }
  expect((await older.importFrom('opencode')).stdout).toBe(
    '2 messages imported, 0 already stored\n',
  )
  expect(await older.stored()).toEqual(texts)
})

test('the conversations of Gemini CLI are imported from both of its formats', async () => {
  const { machine, client, importFrom, stored } = await startUser()
  const head = (sessionId: string) => ({ sessionId, projectHash: 'hash', startTime: timeOf(0) })
  const record = (id: string, type: string, content: unknown, fields: object = {}) => ({
    id,
    type,
    content,
    timestamp: timeOf(1),
    ...fields,
  })
  const chats = '.gemini/tmp/shop/chats/session-2026-03-01T10-00-'
  writeFile(machine, '.gemini/tmp/shop/.project_root', '/home/ada/shop')
  writeFile(
    machine,
    `${chats}0199a3f2.jsonl`,
    jsonLines([
      head(SESSION),
      record('1', 'user', 'See @cat.txt --- Content', { displayContent: 'See @cat.txt' }),
      record('2', 'info', 'Update available'),
      record('3', 'gemini', 'I will look.', { toolCalls: [{ result: 'Tool output' }] }),
      { $set: { messages: [record('9', 'user', '<state_snapshot>Summary</state_snapshot>')] } },
      record('4', 'gemini', [{ text: 'Seen.' }]),
      record('4', 'gemini', [{ text: 'Seen.' }], { tokens: {} }),
      record('5', 'user', [{ text: 'Thanks.' }]),
      record('4', 'gemini', [{ text: 'Seen.' }], { tokens: {} }),
    ]),
  )
  writeFile(
    machine,
    `${chats}0199a3f3.json`,
    JSON.stringify({
      ...head(OTHER),
      messages: [record('1', 'user', 'Older.'), record('2', 'gemini', 'Yes.')],
    }),
  )
  expect((await importFrom('gemini-cli')).stdout).toBe('5 messages imported, 0 already stored\n')
  expect((await stored()).toSorted()).toEqual([
    ['assistant', 'Seen.'],
    ['assistant', 'Yes.'],
    ['user', 'Older.'],
    ['user', 'See @cat.txt'],
    ['user', 'Thanks.'],
  ])
  const { sessions } = await client.call(listCaptures)
  expect(sessions.map(({ session, project }) => [session, project])).toContainEqual([
    SESSION,
    'shop',
  ])
})

test('text of svc, #nomem turns and damaged lines are left out and counted', async () => {
  const { machine, importFrom, stored } = await startUser()
  const lines: unknown[] = codexLines({
    session: SESSION,
    turns: [
      turn(1, '<svc-memory>\nThe cat is named Minka.\n</svc-memory>\nWhat is its name?', 'Minka.'),
      turn(2, '#nomem The password is on the desk.'),
    ],
  })
  const file = writeFile(machine, codexPath(SESSION), jsonLines([...lines, '{"type":', '\u0000']))
  await Bun.write(
    file,
    Buffer.concat([await Bun.file(file).bytes(), Buffer.from([0xff, 0xfe, 10])]),
  )
  writeFile(machine, codexPath(OTHER), 'no transcript')
  const result = await importFrom('codex')
  expect(result).toMatchObject({ code: 0, stdout: '2 messages imported, 0 already stored\n' })
  expect(result.stderr).toContain(
    '2 messages left out because of #nomem.\n4 damaged lines skipped.\n',
  )
  expect(await stored()).toEqual([
    ['user', 'What is its name?'],
    ['assistant', 'Minka.'],
  ])
})

test('--since, --project and --dry-run select and count', async () => {
  const { machine, importFrom, stored } = await startUser()
  writeCodex(machine, { session: SESSION, turns: [turn(1, 'First.'), turn(2, 'Second.')] })
  writeCodex(machine, { session: OTHER, folder: '/home/ada/blog', turns: [turn(3, 'Third.')] })
  const count = async (...options: string[]) => {
    const { stdout } = await importFrom('codex', '--dry-run', '--json', ...options)
    const { sessions, messages, dry_run } = JSON.parse(stdout)
    expect(dry_run).toBe(true)
    return [sessions, messages]
  }
  expect(await count()).toEqual([2, 6])
  expect(await count('--project', 'blog')).toEqual([1, 2])
  expect(await count('--project', '/home/ada')).toEqual([2, 6])
  expect(await count('--project', 'other')).toEqual([0, 0])
  expect(await count('--since', timeOf(16))).toEqual([1, 2])
  expect(await count('--since', '2100-01-01')).toEqual([0, 0])
  expect(await stored()).toEqual([])
  expect((await importFrom('codex', '--project', 'blog')).stdout).toContain('2 messages imported')
})

test('a machine without transcripts, and wrong options, are explained', async () => {
  const { machine, importFrom } = await startUser()
  expect(await importFrom('codex')).toMatchObject({
    code: 0,
    stdout: `Codex: no messages found in ${machine.env.HOME}/.codex\n`,
  })
  for (const [args, problem] of [
    [['import'], 'Name a file to import, or an assistant.'],
    [['import', 'file.json', '--from', 'codex'], '--from finds the transcripts itself.'],
    [['import', 'file.json', '--yes'], '--since, --project, --dry-run and --yes need --from.'],
    [
      ['import', '--from', 'codex'],
      'This requires a confirmation, and there is no terminal to ask.',
    ],
    [
      ['import', '--from', 'codex', '--yes', '--since', 'May'],
      '--since must be a time in ISO 8601.',
    ],
  ] as const) {
    const { code, stderr } = await machine.svc([...args])
    expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${problem}`])
  }
  const signedOut = await newMachine(server.current.url).svc(['import', '--from', 'codex', '--yes'])
  expect(signedOut.code).toBe(4)
})

test('a text over the limits of a request is cut, and many messages are sent in parts', async () => {
  const { machine, importFrom, stored } = await startUser()
  const many = Array.from({ length: 450 }, (_, index) => ({
    id: `turn-${index}`,
    prompt: `Prompt ${index}`,
    answer: `Answer ${index}`,
  }))
  const long = '猫'.repeat(500_000)
  writeCodex(machine, {
    session: SESSION,
    turns: [{ id: 'long', prompt: long, answer: 'Long.' }, ...many],
  })
  expect((await importFrom('codex')).stdout).toBe('902 messages imported, 0 already stored\n')
  expect((await stored()).length).toBe(100)
})

test('Ctrl-C keeps what is imported, and the next import adds the rest', async () => {
  const { machine, importFrom, client } = await startUser()
  const turns = Array.from({ length: 400 }, (_, index) => ({
    ...turn(1, `Prompt ${index}`),
    id: `turn-${index}`,
  }))
  writeCodex(machine, { session: SESSION, turns })
  const running = machine.start(['import', '--from', 'codex', '--yes'])
  await eventually(async () => (await client.call(listCaptures)).sessions.length, { every: 1 })
  running.kill()
  const { code, stderr } = await running.ended
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/already stored before the interruption\. To continue, run it again\.\n/),
  ])
  expect((await importFrom('codex')).stdout).toMatch(
    /^\d+ messages imported, [1-9]\d* already stored\n$/,
  )
  const { sessions } = await client.call(listCaptures)
  expect(sessions).toMatchObject([{ memories: 800 }])
})

test('secrets are redacted before they are sent, and projects that forbid to store are left out', async () => {
  const { machine, importFrom, stored } = await startUser()
  const folder = `${machine.env.HOME}/private`
  writeFile(machine, 'private/.svc.json', '{"memory": "read"}')
  writeCodex(machine, { session: OTHER, folder, turns: [turn(2, 'A private matter.')] })
  const key = `AKIA${'ABCDEFGHIJ234567'}`
  writeCodex(machine, { session: SESSION, turns: [turn(1, `Use the key ${key} today.`)] })
  expect((await importFrom('codex')).stdout).toBe(
    '2 messages imported, 0 already stored, secrets redacted in 1 message\n',
  )
  expect(await stored()).toEqual([
    ['user', 'Use the key [redacted: AWS key] today.'],
    ['assistant', 'Answer 1.'],
  ])
})
