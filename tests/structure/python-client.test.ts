import { describe, expect, test } from 'bun:test'
import { version } from '../../package.json'
import { snake } from '../../scripts/python-client/print.ts'
import { CLIENT_FILE, pythonClient } from '../../scripts/python-client.ts'
import { contract } from '../../shared/contract/index.ts'
import { pythonResult } from '../clients/python.ts'
import { hasPrograms } from '../harness/programs.ts'

const hasPython = hasPrograms('python3')

test('the stored Python client is the one that `bun scripts/python-client.ts` writes', async () => {
  const stored = (await Bun.file(CLIENT_FILE).text()).split('\n')
  const made = pythonClient().split('\n')
  // The first line that differs, not a diff of thousands of lines.
  const different = made.findIndex((line, i) => line !== stored[i])
  expect([stored[different], stored.length]).toEqual([made[different], made.length])
})

describe.skipIf(!hasPython)('the source of the Python client', () => {
  test('Python 3.9 parses it, all its annotations resolve, and it imports the standard library alone', async () => {
    const checked = await pythonResult('check_source.py')
    expect(checked.version).toBe(version)
    expect(checked.foreign).toEqual([
      'langchain_core.chat_history',
      'langchain_core.documents',
      'langchain_core.messages',
      'langchain_core.retrievers',
    ])
    expect(checked.longest).toBeLessThanOrEqual(100)
    expect(checked.hints).toBeGreaterThan(700)
  })

  test('each endpoint that a client calls is a method', async () => {
    const { calls } = await pythonResult('check_source.py')
    const methods = Object.values<string[]>(calls).flat()
    const missing = contract
      .map(({ name }) => snake(name))
      .filter((name) => !methods.includes(name))
    // The callbacks of payment and identity providers, and the handoff of a browser.
    expect(missing).toEqual([
      'oauth_callback',
      'mint_handoff',
      'payments_webhook',
      'stripe_webhook',
    ])
    const streamed = contract.filter(({ streamed: stream }) => stream).length
    expect(methods).toHaveLength(contract.length - missing.length + streamed)
    expect(calls.memories).toContain('recall')
    expect(calls.conversations).toContain('regenerate_stream')
  })
})
