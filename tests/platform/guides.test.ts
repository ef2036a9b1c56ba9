import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as pathOf, resolve } from 'node:path'
import { setTimeout as until } from 'node:timers/promises'
import { listProactiveIntents, memoryFacts } from '../../shared/contract/index.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, useServer } from '../harness/server.ts'

setDefaultTimeout(60_000)
const server = useServer()

type Env = Record<string, string>
type Answer = Record<string, unknown> | null

/** The shell blocks of a how-to guide, except those that start a server. */
const blocksOf = async (name: string): Promise<string[]> => {
  const guide = await Bun.file(resolve(import.meta.dir, `../../docs/how-to/${name}.md`)).text()
  return [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
    .map(([, block = '']) => block.trim())
    .filter((block) => !block.endsWith('npm start'))
}

/** Runs commands in a new directory. @returns their stdout. */
const run = async (commands: string, env: Env): Promise<string> => {
  const cwd = await mkdtemp(pathOf(tmpdir(), 'svc-guide-'))
  const here = commands
    .replaceAll('http://localhost:3000', server.current.url)
    .replace(/\bcurl (-sS?) (?!--fail)/g, 'curl $1 --fail-with-body ')
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', here], {
    cwd,
    env: { PATH: process.env.PATH, SVC_URL: server.current.url, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  const output = `${commands}\n${stdout}\n${stderr}`
  expect([output, await child.exited]).toEqual([output, 0])
  await rm(cwd, { recursive: true })
  return stdout
}

/** Runs each `curl` of a guide separately. `env` can depend on the earlier responses. */
const eachOf = async (
  name: string,
  env: (answers: Answer[]) => Env | Promise<Env>,
): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const block of await blocksOf(name))
    for (const command of block.split(/\n(?=curl )/)) {
      const text = await run(command, await env(answers))
      answers.push(text ? JSON.parse(text) : null)
    }
  return answers
}

/** Waits until extraction has read the last written memory. */
const untilRead = async ({ client }: TestUser, answers: Answer[]): Promise<void> => {
  const memory_id = answers.at(-1)?.memory_id
  if (typeof memory_id !== 'string') return
  while ((await client.call(memoryFacts, { params: { memory_id } })).pending) await until(20)
}

const answerWith = (answers: Answer[], field: string) => answers.find((answer) => answer?.[field])

describe('the commands of a how-to guide succeed:', () => {
  test('automation', async () => {
    const { key } = await newVerifiedUser(server.current)
    const script = (await blocksOf('automation')).join('\n')
    expect(await run(script, { SVC_API_KEY: key })).toEndWith('{}')
    for (;;) {
      const { body } = await request(server.current, 'GET', '/api/email/threads', { token: key })
      if (body.threads[0]?.sent === 1) {
        expect(body.threads).toMatchObject([{ subject: 'Too hot', message_count: 1 }])
        return
      }
      await until(20)
    }
  })

  test('conversation', async () => {
    const { key } = await newVerifiedUser(server.current)
    const script = (await blocksOf('conversation')).join('\n')
    const printed = await run(script, { SVC_API_KEY: key })
    for (const text of ['I moved to Lisbon in May.', 'event: done', 'A trip to Paris', 'notes.txt'])
      expect(printed).toContain(text)
  })

  test('identity', async () => {
    const user = await newVerifiedUser(server.current)
    const answers = await eachOf('identity', async (before) => {
      await untilRead(user, before)
      return { SVC_API_KEY: user.key }
    })
    expect(answerWith(answers, 'conflicts')).toMatchObject({
      conflicts: [{ anchor_key: 'home', values: [{ value: 'Lisbon' }, { value: 'Porto' }] }],
    })
    expect(answers.at(-1)).toBeNull()
  })

  test('import', async () => {
    const { key } = await newVerifiedUser(server.current)
    await request(server.current, 'POST', '/api/remember', {
      token: key,
      body: { content: 'Ada likes tea.' },
    })
    const printed = await run((await blocksOf('import')).join('\n'), { SVC_API_KEY: key })
    const answer = { imported: 0, deduplicated: 1, failed_count: 0, failed: [] }
    expect(printed).toBe(JSON.stringify(answer).repeat(2))
  })

  test('organizations', async () => {
    const owner = await newVerifiedUser(server.current)
    const { call, join } = createOrgClient(server)
    const env: Env = { TOKEN: owner.accessToken }
    const answers = await eachOf('organizations', async ([org]) => {
      if (!org || env.ORG_ID) return env
      env.ORG_ID = String(org.id)
      env.USER_ID = (await join(owner, { id: env.ORG_ID })).id
      return env
    })
    expect(answers.length).toBeGreaterThan(9)
    expect(answerWith(answers, 'invite_url')).toMatchObject({ email: 'ben@example.com' })
    expect(answerWith(answers, 'memories')).toMatchObject({
      memories: [{ content_text: 'The quarterly report is due on 15 April' }],
    })
    expect(answerWith(answers, 'credential')).toMatchObject({ org: { id: env.ORG_ID } })
    expect((await call(owner, 'GET', 'orgs')).body).toEqual([])
  })

  test('reminders', async () => {
    const user = await newVerifiedUser(server.current)
    const env: Env = { SVC_API_KEY: user.key }
    const answers = await eachOf('reminders', async (before) => {
      while (before.length > 0 && !env.INTENT_ID) {
        const [intent] = await user.client.call(listProactiveIntents, { query: {} })
        if (intent) env.INTENT_ID = intent.intent_id
        else await until(20)
      }
      return env
    })
    expect(answers.find(Array.isArray)).toMatchObject([
      { kind: 'reminder', title: 'call Ada', weight: 3 },
    ])
    expect(answers.at(-1)).toEqual({})
  })

  // This guide disables an engine, so it runs last.
  test('memory', async () => {
    const admin = await newVerifiedUser(server.current)
    await claimAdmin(server.current, admin)
    const { body } = await request(server.current, 'POST', '/api/remember', {
      token: admin.key,
      body: { content: 'My sister Ana lives in Rome.' },
    })
    await untilRead(admin, [body])
    const env = { SVC_API_KEY: admin.key, MEMORY_ID: body.memory_id }
    const answers = await eachOf('memory', () => env)
    expect(answerWith(answers, 'facts')).toMatchObject({ pending: false })
    const listed = await request(server.current, 'GET', '/api/admin/cognitive_engines', {
      token: admin.key,
    })
    expect(listed.body.engines[0]).toMatchObject({ engine: 'extraction', enabled: false })
  })
})
