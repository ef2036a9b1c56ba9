import type { McpServer } from '@modelcontextprotocol/server'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { MAX_TEXT_LENGTH } from '../shared/contract/common.ts'
import { context } from '../shared/contract/context.ts'
import { DAY_MS } from '../shared/duration.ts'
import type { ToolHost } from './host.ts'
import { argumentSchema } from './schema.ts'

interface PromptOptions<A extends TObject> {
  name: string
  title: string
  description: string
  /** The tools that the text names. */
  uses: readonly string[]
  args: A
  /** The message of the user. */
  text(args: Static<A>, host: ToolHost): string | Promise<string>
}

/** A prompt of the server. */
export type Prompt = ReturnType<typeof prompt>

export const prompt = <A extends TObject>(options: PromptOptions<A>) => {
  const { name, title, description, uses, text } = options
  const argsSchema = argumentSchema<Static<A>>(options.args)
  return {
    name,
    uses,

    /** Adds the prompt to a server. */
    register(server: McpServer, host: ToolHost): void {
      server.registerPrompt(name, { title, description, argsSchema }, async (args) => ({
        description,
        messages: [{ role: 'user', content: { type: 'text', text: await text(args, host) } }],
      }))
    },
  }
}

const CONTEXT_TOKENS = 2_000

/** The memories for a question, or the instruction to search them where there are none. */
const contextFor = async (question: string, host: ToolHost): Promise<string> => {
  const search = 'Call recall with the question unchanged. '
  const query = question.slice(0, MAX_TEXT_LENGTH).toWellFormed()
  if (!host.isSignedIn() || !/\S/.test(query)) return search
  const body = { query, max_tokens: CONTEXT_TOKENS }
  // A prompt is of use without the memories: the model can search them.
  const { text } = await host
    .call((client) => client.call(context, { body }))
    .catch(() => ({ text: '' }))
  return text ? `${text}\n\n` : search
}

const WEEK_MS = 7 * DAY_MS

const answerFromMemory = prompt({
  name: 'answer_from_memory',
  title: 'Answer from memory',
  description: 'Answers a question from memories and cites them.',
  uses: ['recall'],
  args: Type.Object({
    question: Type.String({ minLength: 1, description: 'The question to answer.' }),
  }),
  text: async ({ question }, host) =>
    `Answer this question from my memories: ${question}

${await contextFor(question, host)}If these memories do not contain the answer, call recall again in other words, with the names and dates from the first memories. Then answer, and cite for each statement the memory and its date. If memories contradict each other, prefer the newer one and say so. Do not guess: if there is no memory, say so.`,
})

const rememberConversation = prompt({
  name: 'remember_conversation',
  title: 'Remember this conversation',
  description: 'Stores what matters later from this conversation.',
  uses: ['recall', 'remember'],
  args: Type.Object({
    focus: Type.Optional(Type.String({ description: 'A topic to focus on.' })),
  }),
  text: ({ focus }) =>
    `Go through our conversation and remember what will matter later${focus ? `, especially about ${focus}` : ''}: facts about me and my work, preferences, decisions with their reasons, plans with their dates, and corrections of earlier assumptions.

First call recall about each subject to avoid duplicates. If something has changed, pass the memory that it replaces as \`supersedes\`. Then call remember once for each item, in a sentence that is clear on its own, with names instead of pronouns and dates instead of "today" or "next week". Leave out secrets and anything that was useful only in this conversation. At the end, list what you stored.`,
})

const weeklyReview = prompt({
  name: 'weekly_review',
  title: 'Review the week',
  description: 'Reviews the last seven days and lists open items.',
  uses: ['recall'],
  args: Type.Object({
    about: Type.Optional(Type.String({ description: 'A project or person to focus on.' })),
  }),
  text: ({ about }) =>
    `Review my last seven days${about ? `, only about ${about}` : ''}. Call recall with \`since\` ${new Date(Date.now() - WEEK_MS).toISOString()} and \`limit\` 50 for each of these: decisions, completed work, plans and promises, open items and problems.

Then write a short review with these headings: Decisions, Done, Open (with dates, most urgent first), and Observations (repetitions, contradictions and forgotten items). Give the date of each item. If there are few memories, say so and stop.`,
})

/** In the order that clients list them. */
export const prompts: readonly Prompt[] = [answerFromMemory, rememberConversation, weeklyReview]
