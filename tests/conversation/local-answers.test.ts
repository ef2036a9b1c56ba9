import { expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { chat, remember } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const OTHER = 'The ferry leaves at nine and the coffee on board is good. '.repeat(30)

for (const [where, content] of [
  ['middle', `${OTHER}The spare key lies under the blue flowerpot. ${OTHER}`],
  ['end', `${OTHER}The spare key lies under the blue flowerpot.`],
] as const)
  test(`without a model, chat quotes the sentences at the ${where} of a long memory that answer`, async () => {
    const { key } = await newVerifiedUser(server.current)
    const client = createClient({ baseUrl: server.current.url, credential: key })
    await client.call(remember, { body: { content } })
    const answer = await client.call(chat, {
      body: { message: 'Where is the spare flowerpot key?' },
    })
    const [quote = ''] = /^> .+$/m.exec(answer.message.content) ?? []
    expect(quote).toContain('The spare key lies under the blue flowerpot.')
    expect(quote).toStartWith('> … The ferry leaves at nine')
    expect(quote.length).toBeLessThan(510)
    expect(quote.endsWith(' …')).toBe(where === 'middle')
  })
