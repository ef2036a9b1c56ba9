import { type CardActions, createCard } from './card.ts'
import { h } from './dom.ts'
import { connect, type Host, type ToolResult, textOf } from './host.ts'
import { type CardMemory, describe, memoriesIn } from './memory.ts'

const main = document.getElementById('main') as HTMLElement
const tools = new Set(document.body.dataset.tools?.split(' '))
/** Announces changes to screen readers. It stays in the page. */
const status = h('p', { class: 'announcement', role: 'status' })

const region: { locale?: string | undefined; timeZone?: string | undefined } = {}
let input: Record<string, unknown> = {}

const showMessage = (text: string): void => {
  main.replaceChildren(h('h1', {}, 'Memories'), h('p', { class: 'quiet' }, text))
}

/** The changes of the user by memory: the model has read the memories as they were. */
const changes = new Map<string, string>()

const announce = (host: Host, text: string, { memory_id }: CardMemory): void => {
  status.textContent = text
  changes.set(memory_id, text)
  const lines = [...changes].map(([id, change]) => `${id}: ${change}`)
  host.informModel(`The user changed recalled memories:\n${lines.join('\n')}`)
}

const showMemories = (host: Host, memories: CardMemory[]): void => {
  const actions = {
    ...toolActions(host, tools, input),
    describe: (memory: CardMemory) => describe(memory, region),
    announce: (text: string, memory: CardMemory) => announce(host, text, memory),
  }
  const count = memories.length === 1 ? '1 memory' : `${memories.length} memories`
  const query = String(input.query ?? '')
  main.replaceChildren(
    query ? h('h1', {}, `${count} for “`, h('bdi', {}, query), '”') : h('h1', {}, count),
    h('ol', {}, ...memories.map((memory) => h('li', {}, createCard(memory, actions)))),
    status,
  )
}

const showResult = async (host: Host, result: ToolResult): Promise<void> => {
  if (result.isError) return showMessage(textOf(result))
  const memories = memoriesIn(result.structuredContent)
  if (memories.length) return showMemories(host, memories)
  // A compact text has no ids.
  if (input.format !== 'text') return showMessage('No memories found.')
  const listed = await host.callTool('recall', asList(input))
  const found = memoriesIn(listed.structuredContent)
  if (found.length) showMemories(host, found)
  else showMessage('No memories found.')
}

const { promise: connected, resolve: onConnected } = Promise.withResolvers<Host>()
showMessage('Waiting for the memories…')
onConnected(
  await connect({
    onInput(next) {
      input = next
    },
    onResult(result) {
      connected
        .then((host) => showResult(host, result))
        .catch((error: unknown) =>
          showMessage(String(error instanceof Error ? error.message : error)),
        )
    },
    onCancel: () => showMessage('The recall was cancelled.'),
    onContext({ theme, styles, locale, timeZone }) {
      const root = document.documentElement
      if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
      if (locale) region.locale = locale
      if (timeZone) region.timeZone = timeZone
      for (const [name, value] of Object.entries(styles?.variables ?? {}))
        if (name.startsWith('--') && value) root.style.setProperty(name, value)
    },
  }),
)

/** Arguments that change the form of an answer, and not which memories it has. */
const FORM = ['format', 'max_tokens', 'max_chars', 'cursor']
const MOST_MEMORIES = 100

/** The arguments of a recall that returns the memories as a list. */
const asList = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !FORM.includes(name)))

const idIn = ({ structuredContent }: ToolResult, field: string): string =>
  String(structuredContent?.[field] ?? '')

/**
 * The actions of a card by tools of svc.
 * @param tools the names of those that the connection has.
 */
const toolActions = (
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
