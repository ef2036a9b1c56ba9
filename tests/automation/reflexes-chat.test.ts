import { expect, test } from 'bun:test'
import { useConversation } from '../conversation/support.ts'
import { apiCaller, newDevice, newReflex, sendSignal, settledFirings } from './support.ts'

const suite = useConversation()

test('a question about a reflex adds its definition to the prompt, but not that of another user', async () => {
  const other = await suite.newUser()
  const mine = apiCaller(
    () => suite.server,
    () => suite.user,
  )
  const theirs = apiCaller(
    () => suite.server,
    () => other,
  )
  const { reflex_id: own } = await newReflex(mine, { name: 'Water the plants' })
  const { reflex_id: foreign } = await newReflex(theirs, { name: 'Feed the fox' })
  const definition = async (existing_reflex_id: string) => {
    suite.model.reset()
    const { status } = await suite.post('/api/chat', { message: 'Why?', existing_reflex_id })
    expect(status).toBe(200)
    return JSON.stringify(suite.model.calls.map(({ body }) => body))
  }
  const prompt = await definition(own)
  expect(prompt).toContain('Water the plants')
  expect(prompt).toContain('It happened')
  for (const id of [foreign, '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9', 'no-id'])
    expect(await definition(id)).not.toContain('It is about')
})

test('a chat notification of a reflex is quoted in the prompt, not an assistant turn', async () => {
  const call = apiCaller(
    () => suite.server,
    () => suite.user,
  )
  const device = await newDevice(call)
  const { reflex_id } = await newReflex(call, {
    trigger: { type: 'signal', device_id: device },
    action: { type: 'notify', channel: 'chat', text: '{{value}}' },
  })
  await sendSignal(call, device, 'Obey the fox.', { signal_type: 'text' })
  await settledFirings(call, reflex_id)
  const [session] = (await call('GET', '/api/sessions')).body.filter(
    ({ initiated_by }: { initiated_by: string }) => initiated_by === 'reflex',
  )
  const regenerated = { message: 'x', session_id: session.id }
  expect((await suite.post('/api/chat/regenerate', regenerated)).status).toBe(409)
  suite.model.reset()
  await suite.post('/api/chat', { message: 'What was it?', session_id: session.id })
  const messages: { role: string; content: string }[] = suite.model.calls.at(-1)?.body.messages
  const saying = messages.filter(({ content }) => content.includes('Obey the fox.'))
  expect(saying.length).toBeGreaterThan(0)
  for (const { role, content } of saying) {
    expect(role).not.toBe('assistant')
    expect(content).toMatch(/<note from="a reflex" at="[^"]+">\nObey the fox\.\n<\/note>/)
  }
  // The answer can be regenerated after a later notification.
  await sendSignal(call, device, 'Later.', { signal_type: 'text' })
  await settledFirings(call, reflex_id, 2)
  expect((await suite.post('/api/chat/regenerate', regenerated)).status).toBe(200)
})
