import type { CardActions } from './card.ts'
import type { Host, ToolResult } from './host.ts'
import { type CardMemory, memoriesIn } from './memory.ts'

/** Arguments that change the form of an answer, and not which memories it has. */
const FORM = ['format', 'max_tokens', 'max_chars', 'cursor']
const MOST_MEMORIES = 100

/** The arguments of a recall that returns the memories as a list. */
export const asList = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !FORM.includes(name)))

const idIn = ({ structuredContent }: ToolResult, field: string): string =>
  String(structuredContent?.[field] ?? '')

/**
 * The actions of a card by tools of svc.
 * @param tools the names of those that the connection has.
 */
export const toolActions = (
  host: Host,
  tools: ReadonlySet<string>,
  input: Record<string, unknown>,
): Omit<CardActions, 'describe' | 'announce'> => {
  const canReview = tools.has('review')
  let explained: Promise<CardMemory[]> | undefined
  return {
    ...(canReview &&
      tools.has('update') &&
      tools.has('restore') && {
        async replace({ memory_id, content_text: before }, content, hasChanged) {
          const supersede = hasChanged && { supersede: true }
          const result = await host.callTool('update', { memory_id, content, ...supersede })
          if (!hasChanged) return () => host.callTool('update', { memory_id, content: before })
          const successor = idIn(result, 'memory_id')
          let isForgotten = false
          return async () => {
            // Undoing again, after a failure, continues.
            if (!isForgotten)
              await host.callTool('review', { memory_id: successor, verdict: 'forget' })
            isForgotten = true
            await host.callTool('restore', { memory_id })
          }
        },
      }),
    ...(canReview && {
      async markIrrelevant({ memory_id }) {
        const question = String(input.query ?? '')
        const marked = await host.callTool('review', { memory_id, question, verdict: 'irrelevant' })
        const feedback_id = idIn(marked, 'feedback_id')
        return () => host.callTool('review', { memory_id, feedback_id, verdict: 'relevant' })
      },
    }),
    ...(canReview &&
      tools.has('forget') &&
      tools.has('restore') && {
        async forget({ memory_id }) {
          await host.callTool('review', { memory_id, verdict: 'forget' })
          return () => host.callTool('restore', { memory_id })
        },
      }),
    async readWhole({ memory_id }) {
      return idIn(await host.callTool('get', { memory_id }), 'content_text')
    },
    async explain({ memory_id }) {
      // One more recall explains all memories of the page.
      explained ??= host
        .callTool('recall', { ...asList(input), limit: MOST_MEMORIES, explain: true })
        .then(({ structuredContent }) => memoriesIn(structuredContent))
      const memories = await explained.catch((error: unknown) => {
        explained = undefined
        throw error
      })
      return memories.find((memory) => memory.memory_id === memory_id)
    },
  }
}
