import { asList, toolActions } from './actions.ts'
import { createCard } from './card.ts'
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
