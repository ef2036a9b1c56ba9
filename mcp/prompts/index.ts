import { Type } from '@sinclair/typebox'
import { type Prompt, prompt } from './prompt.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

const answerFromMemory = prompt({
  name: 'answer_from_memory',
  title: 'Answer from memory',
  description: 'Answers a question from what is remembered, and says what it rests on.',
  args: Type.Object({
    question: Type.String({ minLength: 1, description: 'What you want to know.' }),
  }),
  text: ({ question }) =>
    `Answer this from what is remembered about me: ${question}

Call recall with the question as it stands. If the answer is not there, call it again in other words, with the names and dates that the first memories gave you. Then answer, and say for each statement which memory it comes from and of what day it is. Where memories contradict each other, prefer the newer one and say so. What is not remembered, do not guess: say that it is not.`,
})

const rememberConversation = prompt({
  name: 'remember_conversation',
  title: 'Remember this conversation',
  description: 'Keeps what this conversation brought that will matter later.',
  args: Type.Object({
    focus: Type.Optional(Type.String({ description: 'What to look for above all.' })),
  }),
  text: ({ focus }) =>
    `Go through our conversation and remember what will matter later${focus ? `, above all about ${focus}` : ''}: facts about me and my work, preferences, decisions with their reasons, plans with their dates, and corrections of what you thought before.

First call recall about each subject, so that nothing is kept twice; where something has changed, give the memory it replaces as \`supersedes\`. Then call remember once for each, in a sentence that is clear on its own, with names in place of pronouns and dates in place of "today" or "next week". Leave out secrets, and what was only of use just now. At the end, list what you kept.`,
})

const weeklyReview = prompt({
  name: 'weekly_review',
  title: 'Review the week',
  description: 'Tells what the last seven days brought, and what is open.',
  args: Type.Object({
    about: Type.Optional(Type.String({ description: 'A project or person to keep to.' })),
  }),
  text: ({ about }) =>
    `Review my last seven days${about ? ` as far as they are about ${about}` : ''}. Call recall with \`since\` ${new Date(Date.now() - WEEK_MS).toISOString()} and \`limit\` 50 for each of: what was decided, what was done, what was planned or promised, and what is open or went wrong.

Then write a short review under these heads: Decisions, Done, Open (with dates, most urgent first), and Worth a thought: what repeats, contradicts itself or was forgotten. Say of what day each is. If little is remembered, say so and stop there.`,
})

/** In the order that clients list them. */
export const prompts: readonly Prompt[] = [answerFromMemory, rememberConversation, weeklyReview]
