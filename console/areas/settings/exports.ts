import { auditLog } from '../../../shared/contract/audit.ts'
import { type ChatMessage, listChatMessages } from '../../../shared/contract/chat-messages.ts'
import { type ChatSession, listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import { getInstructions } from '../../../shared/contract/instructions.ts'
import { listConnections } from '../../../shared/contract/oauth-sign-in.ts'
import { getPreferences } from '../../../shared/contract/preferences.ts'
import { getProfile } from '../../../shared/contract/profile.ts'
import { exportMemories } from '../../../shared/contract/transfer.ts'
import { callApi } from '../../session/client.ts'

/** Collects a file and reports the number of its records while it grows. */
export type Export = (onCount: (count: number) => void) => Promise<Blob>

const PAGE = 100

const json = (value: unknown): Blob =>
  new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' })

/** Parts of the file become blobs, which browsers keep on disk when they are many. */
const exportAllMemories: Export = async (onCount) => {
  const parts: Blob[] = []
  let lines: string[] = []
  let count = 0
  for await (const memory of await callApi(exportMemories, {})) {
    lines.push(`${JSON.stringify(memory)}\n`)
    count++
    if (lines.length < 1000) continue
    parts.push(new Blob(lines))
    lines = []
    onCount(count)
  }
  return new Blob([...parts, ...lines], { type: 'application/x-ndjson' })
}

const listAllSessions = async (archived: boolean): Promise<ChatSession[]> => {
  const sessions: ChatSession[] = []
  for (;;) {
    const before = sessions.at(-1)?.id
    const query = { archived, limit: PAGE, ...(before && { before }) }
    const page = await callApi(listChatSessions, { query })
    sessions.push(...page)
    if (page.length < PAGE) return sessions
  }
}

/** Pages go back in time; each page has its oldest message first. */
const listAllMessages = async (session_id: string): Promise<ChatMessage[]> => {
  let messages: ChatMessage[] = []
  for (;;) {
    const before = messages[0]?.id
    const query = { limit: PAGE, ...(before && { before }) }
    const page = await callApi(listChatMessages, { params: { session_id }, query })
    messages = [...page, ...messages]
    if (page.length < PAGE) return messages
  }
}

const exportChats: Export = async (onCount) => {
  const sessions = [...(await listAllSessions(false)), ...(await listAllSessions(true))]
  const chats: (ChatSession & { messages: ChatMessage[] })[] = []
  for (const session of sessions) {
    chats.push({ ...session, messages: await listAllMessages(session.id) })
    onCount(chats.length)
  }
  return json(chats)
}

const exportAccount: Export = async () => {
  const [profile, preferences, instructions, connections] = await Promise.all([
    callApi(getProfile, {}),
    callApi(getPreferences, {}),
    callApi(getInstructions, {}),
    callApi(listConnections, {}),
  ])
  const activity: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: PAGE, ...(cursor && { cursor }) }
    const page = await callApi(auditLog, { query })
    activity.push(...page.entries)
    cursor = page.next_cursor
  }
  return json({ profile, preferences, ...instructions, connections, activity })
}

export const EXPORTS = {
  memories: exportAllMemories,
  chats: exportChats,
  account: exportAccount,
} as const
