import { count, number } from './tools/numbers.ts'

/** The search in a chat, its model, and what that was given. */
export const chatContext = {
  find: {
    label: 'Find in this chat',
    results: 'Messages found',
    close: 'Close the search',
    found: (amount: number) =>
      amount ? count(amount, { one: 'message', other: 'messages' }) : 'No message',
  },
  models: {
    title: 'Model',
    choose: (name: string) => `Model: ${name}`,
    first: (name: string) => `${name} (default)`,
    local: 'Memories only, without a model',
    unavailable: 'not available now',
  },
  context: {
    title: 'Given to the model',
    close: 'Close',
    unknown: 'This was not recorded for the answer.',
    budget: (used: number, window: number) => `${number(used)} of ${number(window)} tokens`,
    parts: {
      instructions: 'Instructions',
      tools: 'Tools',
      message: 'Your message',
      images: 'Pictures',
      memories: 'Memories',
      attachments: 'Files and pages',
      history: 'Earlier messages',
    },
    messages: (given: number, left: number) =>
      `${count(given, { one: 'earlier message was', other: 'earlier messages were' })} given${left ? `, and ${left} had no room` : ''}.`,
    tools: (names: string) => `It could call: ${names}.`,
    memoriesOfFound: (given: number, found: number) =>
      `${count(given, { one: 'memory', other: 'memories' })} of ${found} found`,
    instructions: 'Your instructions',
    noInstructions: 'None: Settings → Instructions.',
  },
} as const
