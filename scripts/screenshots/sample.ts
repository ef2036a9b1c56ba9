import type { Account } from '../../bench/lib/server.ts'
import { recall, remember, rememberBatch } from '../../shared/contract/index.ts'

const THREAD = 'Trip to Lisbon'

const CONVERSATION = [
  ['Ada', 'We want to go to Lisbon in May. Ben is afraid of flying, so the train would be nice.'],
  ['svc', 'The night train to Lisbon was discontinued. Through Irun it takes two days.'],
  ['Ada', 'Two days is fine. Book the window seats, and a hotel near the river.'],
  ['svc', 'I noted: two days by train, window seats, a hotel near the river.'],
] as const

const NOTES = [
  { content: 'Ada prefers tea to coffee.', tags: ['people'], memory_type: 'preference' },
  {
    content: 'I live in Porto and work as an architect.',
    tags: ['people'],
    memory_type: 'semantic',
  },
  { content: 'The spare key is under the blue pot.', tags: ['home'], memory_type: 'semantic' },
  { content: 'Ben is allergic to peanuts.', tags: ['people', 'health'], memory_type: 'semantic' },
  { content: 'My sister is called Carla, and her birthday is on 12 May.', tags: ['people'] },
  {
    content: 'To restart the heating, hold the red button for ten seconds.',
    tags: ['home'],
    memory_type: 'procedural',
  },
  { content: 'The kitchen renovation is to cost 8,000 euros at most.', tags: ['home', 'money'] },
  {
    content: 'We painted the kitchen green last weekend.',
    tags: ['home'],
    memory_type: 'episodic',
  },
  {
    content: 'The dentist appointment is on 3 December at 9:30.',
    tags: ['health'],
    memory_type: 'episodic',
  },
  { content: 'Deploy on Tuesdays; never on Fridays.', tags: ['work'], memory_type: 'procedural' },
  { content: 'The client wants the façade in natural stone.', tags: ['work'] },
  { content: 'The model of the town hall is due at the end of the month.', tags: ['work'] },
  { content: 'Remind me to call the notary tomorrow at 10.', tags: ['work'] },
  { content: 'Our wifi at home is called “Seagull”.', tags: ['home'] },
  { content: 'Carla likes opera and hates crowds.', tags: ['people'], memory_type: 'preference' },
] as const

/** Stores notes, a conversation and a superseded memory, as an account has after some weeks. */
export const fillMemory = async ({ client }: Account): Promise<string> => {
  const { memories } = await client.call(rememberBatch, {
    body: { memories: NOTES.map((note) => ({ ...note, tags: [...note.tags] })) },
  })
  await client.call(rememberBatch, {
    body: {
      memories: CONVERSATION.map(([author, content]) => ({ author, content, thread: THREAD })),
    },
  })
  const [budget] = (await client.call(recall, { body: { query: 'kitchen renovation cost' } }))
    .memories
  const changed = await client.call(remember, {
    body: {
      content: 'The kitchen renovation is to cost 9,500 euros at most.',
      tags: ['home', 'money'],
      ...(budget && { supersedes: budget.memory_id }),
    },
  })
  if (memories.length !== NOTES.length) throw new Error('a note was not stored')
  return changed.memory_id
}
