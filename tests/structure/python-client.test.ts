import { describe, expect, test } from 'bun:test'
import { version } from '../../package.json'
import { snake } from '../../scripts/python-client/print.ts'
import { pythonClient } from '../../scripts/python-client.ts'
import * as declarations from '../../shared/contract/index.ts'
import { pagingOf } from '../../shared/contract/paging.ts'
import { pythonResult } from '../clients/python.ts'
import { hasPrograms } from '../harness/programs.ts'

const { contract } = declarations

/** The types of the client, of which users import the names. */
const typeNames = (): string[] => {
  const source = pythonClient()['__init__.py'] ?? ''
  const definitions = /^(?:class ([A-Z]\w*)\((?:TypedDict|_\w+, total=False)|(\w+) = TypedDict\()/gm
  return [...source.matchAll(definitions)].map(
    ([, name = '', functional = '']) => name || functional,
  )
}

test('the types of the Python client without a name of their own in the contract keep the names of the snapshot', () => {
  const ids = [...JSON.stringify(contract).matchAll(/"\$id":"(\w+)"/g)].map(([, id]) => id)
  const named = new Set<unknown>([...Object.keys(declarations), ...ids])
  expect(
    typeNames()
      .filter((name) => !named.has(name))
      .toSorted(),
  ).toMatchSnapshot()
})

const hasPython = hasPrograms('python3')

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
    const methods = Object.values<object>(calls).flatMap((group) => Object.keys(group))
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
    const paged = contract.filter(pagingOf).length
    expect(methods).toHaveLength(contract.length - missing.length + streamed + paged)
    expect(calls.memories).toHaveProperty('recall')
    expect(calls.conversations).toHaveProperty('regenerate_stream')
    expect(calls.chat_sessions).toHaveProperty('list_chat_messages_all')
  })

  test('the client of asyncio has each method with the same parameters', async () => {
    const { calls, async_calls } = await pythonResult('check_source.py')
    expect(async_calls).toEqual(calls)
  })
})
