import { useNavigate } from '@tanstack/react-router'
import { useRecalled } from '../../clients/npm/use-recalled.ts'
import { listAgents } from '../../shared/contract/agents.ts'
import { listChatSessions } from '../../shared/contract/chat-sessions.ts'
import { memoryFacets } from '../../shared/contract/memory-lists.ts'
import { recall } from '../../shared/contract/recall.ts'
import { features } from '../features.ts'
import { callApi } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { useApi } from '../session/query.ts'
import { chat } from '../texts/chat.ts'
import { palette as texts } from '../texts/palette.ts'
import type { Entry, EntryGroup } from './palette-entries.ts'

const MOST = 5
/** Shorter words fit anything, and name a screen. */
const MIN_LENGTH = 3
/** The longest text of a memory in a row, in characters. */
const EXCERPT = 160
const MAX_CHAT_QUERY = 200
const MAX_FACETS = 100

const recallSome = (query: string, signal: AbortSignal) =>
  callApi(recall, { body: { query, limit: MOST }, signal })

/** Memories, chats, people, threads, tags and agents that a query finds. */
export const useFinds = (query: string): EntryGroup[] => {
  const navigate = useNavigate()
  const isVerified = useMe()?.email_verified ?? false
  const enabled = query.length >= MIN_LENGTH
  const fits = (name: string) => name.toLocaleLowerCase().includes(query.toLocaleLowerCase())
  const { memories: found, isLoading } = useRecalled(enabled ? query : '', recallSome)
  const chats = useApi(
    listChatSessions,
    { query: { q: query.slice(0, MAX_CHAT_QUERY), limit: MOST } },
    { enabled: enabled && isVerified },
  ).data
  const facets = useApi(memoryFacets, { query: { limit: MAX_FACETS } }, { enabled }).data
  // The list of features stays, and with it the order of the hooks.
  const others = features.flatMap(({ finds }) =>
    finds ? [{ title: finds.title, found: finds.useFinds(enabled) }] : [],
  )
  const agents = useApi(listAgents, {}, { enabled }).data
  if (!enabled) return []
  // Enter would open a memory of the query before.
  const memories = (isLoading ? [] : found).map(
    ({ memory_id, content_text }): Entry => ({
      id: `memory ${memory_id}`,
      label: content_text.slice(0, EXCERPT),
      icon: 'memory',
      run: () => void navigate({ to: '/memories/$id', params: { id: memory_id } }),
    }),
  )
  return [
    { title: texts.groups.memories, entries: memories },
    {
      title: texts.groups.chats,
      entries: (chats ?? []).map(({ id, title }) => ({
        id: `chat ${id}`,
        label: title || chat.untitled,
        icon: 'chat',
        run: () => void navigate({ to: '/chat/$sessionId', params: { sessionId: id } }),
      })),
    },
    ...others.map(({ title, found }) => ({
      title,
      entries: found
        .filter(({ names }) => fits(names))
        .slice(0, MOST)
        .map(({ id, label, icon, to }) => ({ id, label, icon, run: () => void navigate({ to }) })),
    })),
    {
      title: texts.groups.agents,
      entries: (agents ?? [])
        .filter(({ slug }) => fits(slug))
        .slice(0, MOST)
        .map(({ slug }) => ({
          id: `agent ${slug}`,
          label: slug,
          icon: 'user',
          run: () => void navigate({ to: '/chat/agents/$slug', params: { slug }, search: true }),
        })),
    },
    {
      title: texts.groups.threads,
      entries: (['thread', 'tag'] as const).flatMap((name) =>
        (facets?.[name] ?? [])
          .filter(({ value }) => fits(value))
          .slice(0, MOST)
          .map(
            ({ value }): Entry => ({
              id: `${name} ${value}`,
              label: texts[name](value),
              icon: 'tag',
              run: () => void navigate({ to: '/memories', search: { [name]: value } }),
            }),
          ),
      ),
    },
  ]
}
