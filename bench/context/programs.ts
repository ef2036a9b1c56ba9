import { join, resolve } from 'node:path'
import { context, recall } from '../../shared/contract/index.ts'
import {
  createDatabase,
  type DatabaseKind,
  openBeside,
  temporaryDirectory,
} from '../lib/database.ts'
import { untilNoTasks, verify } from '../lib/pending.ts'
import { newAccount, startServer } from '../lib/server.ts'
import { startSpeaker } from '../lib/speaker.ts'
import { median, quantile, timed } from '../lib/stats.ts'
import { printTable } from '../lib/table.ts'
import { conversations } from '../lib/text.ts'
import { writeTurns } from '../lib/write.ts'

const root = resolve(import.meta.dir, '../..')
const SIZE = 1_000
const PIECES = 5

const printTimes = (base: string, times: Record<string, number[]>) => {
  const baseline = median(times[base] ?? [])
  printTable(
    ['ms', 'median', 'p95', `/ ${base}`],
    Object.entries(times).map(([name, ms]) => [
      name,
      median(ms).toFixed(1),
      quantile(ms, 0.95).toFixed(1),
      `${(median(ms) / baseline).toFixed(2)}x`,
    ]),
  )
}

/** The server stores the end of a turn after its response, which would slow the next measurement. */
const PAUSE_MS = 50

/** Runs each way once a round, because other load on the machine then affects all ways. */
const interleaved = async (
  runs: number,
  ways: Record<string, (run: number) => Promise<number>>,
) => {
  const times: Record<string, number[]> = {}
  for (let run = 0; run <= runs; run++)
    for (const [name, work] of Object.entries(ways)) {
      await Bun.sleep(PAUSE_MS)
      const ms = await work(run)
      times[name] ??= []
      if (run > 0) times[name].push(ms)
    }
  return times
}

/** The time of `svc hook` on a prompt, start to end, with the executable. */
export const measureHook = async (kind: DatabaseKind, runs: number): Promise<void> => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database)
  const account = await newAccount(server)
  await writeTurns(account, conversations(SIZE, 1))
  const home = temporaryDirectory()
  const executable = join(home, 'svc')
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    SVC_URL: server.url,
    SVC_API_KEY: account.key,
  }
  const start = async (command: string[], input = '') => {
    const [ms] = await timed(
      () =>
        Bun.spawn(command, {
          env,
          cwd: home,
          stdin: new Blob([input]),
          stdout: 'ignore',
          stderr: 'ignore',
        }).exited,
    )
    return ms
  }
  await start([process.execPath, join(root, 'scripts/build.ts'), '--outfile', executable])
  const prompt = (run: number) =>
    JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: `bench-${run}`,
      turn_id: '1',
      cwd: home,
      prompt: 'What did Anna say about the harbour?',
    })
  printTimes(
    'bun -e 0',
    await interleaved(runs, {
      'bun -e 0': () => start([process.execPath, '-e', '0']),
      'svc hook codex': (run) => start([executable, 'hook', 'codex'], prompt(run)),
    }),
  )
}

const questionOf = (run: number) => `What did Anna say about the harbour on day ${run}?`

/** The time until the first piece of an answer has arrived. */
const firstPiece = async (url: string, key: string, run: number): Promise<number> => {
  const [ms] = await timed(async () => {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'bench',
        stream: true,
        messages: [{ role: 'user', content: questionOf(run) }],
      }),
    })
    if (!response.ok || !response.body) throw new Error(await response.text())
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    while (!text.includes('"content":"{}"') && !text.includes('word ')) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`a stream has no piece: ${text}`)
      text += decoder.decode(value, { stream: true })
    }
    void reader.cancel()
  })
  return ms
}

/**
 * The first streamed piece through the model endpoint and of the upstream alone, beside one recall and one
 * context over HTTP.
 */
export const measureProxy = async (kind: DatabaseKind, runs: number): Promise<void> => {
  await using speaker = await startSpeaker(PIECES)
  await using database = await createDatabase(kind)
  await using server = await startServer(database, {
    SVC_OPENAI_BASE_URL: speaker.url,
    SVC_CHAT_MODEL: 'bench',
    SVC_DEFAULT_TIER: 'conscious',
  })
  const account = await newAccount(server)
  await verify(account, database.dataDir)
  await using beside = await openBeside(database)
  await writeTurns(account, conversations(SIZE, 1))
  await untilNoTasks(beside.database)
  const { client } = account
  const timeOf = async (work: () => Promise<unknown>) => (await timed(work))[0]
  printTimes(
    'the upstream alone',
    await interleaved(runs, {
      '/api/recall': (run) =>
        timeOf(() => client.call(recall, { body: { query: questionOf(run) } })),
      '/api/context': (run) =>
        timeOf(() =>
          client.call(context, { body: { query: questionOf(run), session: crypto.randomUUID() } }),
        ),
      'the upstream alone': (run) => firstPiece(speaker.url, 'none', run),
      'the model endpoint': (run) => firstPiece(`${server.url}/api/openai/v1`, account.key, run),
    }),
  )
}
