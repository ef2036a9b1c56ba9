import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { promptOf, useConversation } from '../conversation/support.ts'
import { endsEarly, says, stalls } from '../harness/model-server.ts'
import { hasPrograms } from '../harness/programs.ts'
import { PASSWORD, uniqueEmail } from '../harness/server.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { EXAMPLES, FRAMEWORKS, PYTHON_SOURCE, runPython } from './python.ts'

const suite = useConversation()

const asUser = async () => ({
  SVC_URL: suite.server.url,
  SVC_API_KEY: (await suite.newUser()).key,
})

const example = (name: string): string => join(EXAMPLES, name)

/** The number of requests to a route so far. */
const requestsTo = (route: string): number =>
  suite.server.log.filter((line) => JSON.parse(line).route === route).length

describe.skipIf(!hasPrograms('python3'))('the Python client on a server', () => {
  test('an example signs up, verifies the address, and streams an answer that knows a memory', async () => {
    suite.model.next(says(['Ada drinks ', 'tea.']))
    const email = uniqueEmail()
    const token = suite.server
      .noticed(new RegExp(`^Mail to ${email} [^]*/verify\\?token=`))
      .then((mail) => /\/verify\?token=([\w-]+)/.exec(mail)?.[1] ?? '')
    const output = await runPython(example('chat.py'), {
      args: [email, PASSWORD],
      env: { SVC_URL: suite.server.url },
      input: token,
    })
    expect(output).toBe(
      'Token of the emailed link: Ada drinks tea.\n- Ada prefers tea to coffee.\n',
    )
    expect(promptOf(suite.model.calls[0]).data).toContain('Ada prefers tea to coffee.')
  })

  test('an example stores, finds, changes, deletes, exports and imports memories', async () => {
    expect(await runPython(example('memories.py'), { env: await asUser() })).toBe(
      [
        'found: The spare key is under the blue pot.',
        'changed: The spare key is gone.',
        'deleted: memory_not_found',
        'exported: 3',
        'imported: 3\n',
      ].join('\n'),
    )
  })

  test('threads with an expired access token renew it once, and a sign-in continues elsewhere', async () => {
    const before = requestsTo('/api/auth/refresh')
    const output = await runPython('account.py', {
      args: [uniqueEmail(), PASSWORD],
      env: { SVC_URL: suite.server.url },
    })
    expect(output).toBe('ended\n')
    // Once by the threads and once by the program that continues.
    expect(requestsTo('/api/auth/refresh') - before).toBe(2)
  })

  test('files are uploaded and downloaded in each form', async () => {
    const folder = temporaryDirectory('svc-test-python-')
    expect(await runPython('files.py', { args: [folder], env: await asUser() })).toBe(
      'file_too_large\ndone\n',
    )
  })

  test('a conversation streams, continues, regenerates and reports a failed model', async () => {
    suite.model.next(
      says(['One ', 'two ', 'three.']),
      says('Four.'),
      says('Five.'),
      says('Six.'),
      says('Seven.'),
      says('Eight.'),
      endsEarly('Nin'),
    )
    expect(await runPython('conversation.py', { env: await asUser() })).toStartWith('failed: ')
  })

  for (const way of ['with', 'variable', 'conversation', 'answer', 'next'])
    test(`a stream that is left by ${way} closes its connection`, async () => {
      suite.model.next(stalls('One'), says('Done.'))
      const disconnected = suite.model.nextCall().then((call) => call.disconnected)
      const output = await runPython('leave.py', {
        args: [way],
        env: await asUser(),
        input: disconnected.then(() => '\n'),
      })
      expect(output).toBe('left\n')
    })
})

describe.skipIf(!hasPrograms('python3'))('the adapters of the Python client', () => {
  const from = [PYTHON_SOURCE, FRAMEWORKS]

  test('a LangChain history stores each message once and exactly, and a retriever recalls', async () => {
    await runPython('langchain.py', { env: await asUser(), from })
  })

  test('a session of the OpenAI Agents SDK returns, pops and clears its items', async () => {
    await runPython('openai_agents.py', { env: await asUser(), from })
  })

  test('an example uses a session without the SDK', async () => {
    expect(await runPython(example('agents.py'), { env: await asUser() })).toBe(
      'user - My printer is on fire.\nassistant - Please leave the room.\n1 item\n',
    )
  })

  test('without LangChain, its adapters name the missing package', async () => {
    const output = await runPython('without_frameworks.py', { env: { SVC_URL: suite.server.url } })
    expect(output).toBe('langchain_core\nlangchain_core\n')
  })
})
