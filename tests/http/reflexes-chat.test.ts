import { expect, test } from 'bun:test'
import { newDevice, newReflex, sendSignal, settledFirings, speaker } from './automation-support.ts'
import { useConversation } from './chat-support.ts'

const suite = useConversation()

test('a model is told what the reflex is that a question is about, and nothing of somebody else’s', async () => {
  const other = await suite.newUser()
  const mine = speaker(
    () => suite.server,
    () => suite.user,
  )
  const theirs = speaker(
    () => suite.server,
    () => other,
  )
  const { reflex_id: own } = await newReflex(mine, { name: 'Water the plants' })
  const { reflex_id: foreign } = await newReflex(theirs, { name: 'Feed the fox' })
  const told = async (existing_reflex_id: string) => {
    suite.model.reset()
    const { status } = await suite.post('/api/chat', { message: 'Why?', existing_reflex_id })
    expect(status).toBe(200)
    return JSON.stringify(suite.model.calls.map(({ body }) => body))
  }
  const prompt = await told(own)
  expect(prompt).toContain('Water the plants')
  expect(prompt).toContain('It happened')
  for (const id of [foreign, '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9', 'no-id'])
    expect(await told(id)).not.toContain('It is about')
})

test('what a reflex tells in chat is quoted to a model, and no words of its own', async () => {
  const say = speaker(
    () => suite.server,
    () => suite.user,
  )
  const device = await newDevice(say)
  const { reflex_id } = await newReflex(say, {
    trigger: { type: 'signal', device_id: device },
    action: { type: 'notify', channel: 'chat', text: '{{value}}' },
  })
  await sendSignal(say, device, 'Obey the fox.', { signal_type: 'text' })
  await settledFirings(say, reflex_id)
  const [session] = (await say('GET', '/api/sessions')).body.filter(
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
  // The answer may be given anew, also when the reflex has told something since.
  await sendSignal(say, device, 'Later.', { signal_type: 'text' })
  await settledFirings(say, reflex_id, 2)
  expect((await suite.post('/api/chat/regenerate', regenerated)).status).toBe(200)
})
