import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { remember } from '../../shared/contract/index.ts'
import { quietPort } from '../harness/ports.ts'
import { newUser, startServer, type TestServer } from '../harness/server.ts'
import { root } from './client.ts'
import { startFixtures } from './conformance/entry.ts'
import { applicable, notApplicable } from './conformance/scenarios.ts'
import { failuresIn, type Results, runSuite } from './conformance/suite.ts'
import { decide, register } from './oauth-support.ts'

setDefaultTimeout(180_000)

const guide = readFileSync(join(root, 'docs/reference/mcp-conformance.md'), 'utf8')

/** The scenarios of a row in the guide's table. */
const listed = (row: string): string[] => {
  const cells = guide.split('\n').find((line) => line.startsWith(`| ${row} |`))
  return [...(cells?.split('|')[2]?.matchAll(/`([\w-]+)`/g) ?? [])].map(([, name]) => name ?? '')
}

describe.each(Object.entries(applicable))('the server suite for %s', (revision, count) => {
  let results: Results
  beforeAll(async () => {
    await using fixtures = await startFixtures()
    results = await runSuite(['server', '--url', fixtures.url, '--requirements', revision])
  }, 180_000)

  test('the server passes every scenario that applies', () => {
    const names = Object.keys(results).filter((name) => !(name in notApplicable))
    const failed = names.flatMap((name) => failuresIn(results[name]).map((why) => `${name} ${why}`))
    expect(failed).toEqual([])
    expect(names).toHaveLength(count)
  })

  test('the suite is listed in the guide with every scenario', () => {
    const names = Object.keys(results).filter((name) => !(name in notApplicable))
    expect(listed(`server, ${revision}`).sort()).toEqual(names.sort())
  })
})

test('the guide lists the scenarios that do not apply, with reasons', () => {
  const reasons = new Map<string, string[]>()
  for (const [name, why] of Object.entries(notApplicable))
    reasons.set(why, [...(reasons.get(why) ?? []), name])
  for (const [why, names] of reasons) expect([why, listed(why)]).toEqual([why, names])
})

describe('a production server with its own tools', () => {
  // The scenarios that need no tools of the suite.
  const scenarios = [
    ['server-initialize', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['tools-list', '2025-11-25'],
    ['prompts-list', '2025-11-25'],
    ['resources-list', '2025-11-25'],
    ['tools-list', '2026-07-28'],
    ['prompts-list', '2026-07-28'],
    ['resources-list', '2026-07-28'],
    ['sep-2164-resource-not-found', '2026-07-28'],
    ['caching', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
  ] as const

  test('a production server with its own tools passes the scenarios that need no fixture tools', async () => {
    await using server = await startServer()
    const { key, client } = await newUser(server)
    await client.call(remember, { body: { content: 'A memory to list.' } })
    // The suite cannot send a key.
    await using signedIn = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        const headers = new Headers(request.headers)
        headers.set('authorization', `Bearer ${key}`)
        const own = `${new URL(signedIn.url).host}`
        for (const name of ['host', 'origin']) {
          const value = headers.get(name)?.replace(own, new URL(server.url).host)
          if (value) headers.set(name, value.replace('127.0.0.1', 'localhost'))
        }
        return fetch(new URL('/api/mcp', server.url), {
          method: request.method,
          headers,
          body: request.body,
        })
      },
    })
    for (const [scenario, revision] of scenarios) {
      const url = `http://127.0.0.1:${signedIn.port}/mcp`
      const args = ['--url', url, '--scenario', scenario, '--spec-version', revision]
      const results = await runSuite(['server', ...args])
      expect([scenario, failuresIn(results[scenario])]).toEqual([scenario, []])
    }
  })
})

describe('the authorization suite', () => {
  let server: TestServer
  let results: Results
  beforeAll(async () => {
    server = await startServer()
    const user = await newUser(server)
    const port = await quietPort()
    const redirect = `http://127.0.0.1:${port}/callback`
    const client = await register(server, { redirect_uris: [redirect] })
    const agreed: Promise<unknown>[] = []
    /** The user who opens the authorization URL in a browser. */
    const agree = async (line: string) => {
      const { pathname, search } = new URL(line)
      await fetch(await decide(server, user, `${pathname}${search}`))
    }
    results = await runSuite(
      [
        'authorization',
        ...['--url', server.baseUrl, '--client-id', client, '--port', String(port)],
        ...['--resource', `${server.baseUrl}/api/mcp`],
      ],
      (line) => {
        if (line.startsWith(`${server.baseUrl}/`)) agreed.push(agree(line))
      },
    )
    await Promise.all(agreed)
  }, 180_000)
  afterAll(() => server.stop())

  test('the authorization suite passes every scenario', () => {
    const names = Object.keys(results).sort()
    expect(names).toEqual(['authorization-code-grant', 'authorization-server-metadata-endpoint'])
    for (const name of names) {
      expect([name, failuresIn(results[name])]).toEqual([name, []])
      expect(results[name]?.some(({ status }) => status === 'SUCCESS')).toBe(true)
    }
    expect(listed('authorization').sort()).toEqual(names)
  })
})
