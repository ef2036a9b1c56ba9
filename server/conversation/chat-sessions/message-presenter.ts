import type { ChatMessage } from '../../../shared/contract/chat-sessions.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { selectVersions } from './message-store.ts'
import { presentChatMessage } from './present.ts'
import type { ChatMessageRow } from './table.ts'

export type PresentMessages = ReturnType<typeof createMessagePresenter>

/** Presents messages with their versions and the texts of the cited memories. */
export const createMessagePresenter =
  ({ db }: Database, memories: Pick<MemoryService, 'texts'>) =>
  async (caller: Caller, rows: ChatMessageRow[]): Promise<ChatMessage[]> => {
    const cited = rows.flatMap((row) => row.memories.map(({ memory_id }) => memory_id))
    const answers = rows.filter(({ role }) => role === 'assistant')
    const [texts, versions] = await Promise.all([
      memories.texts(caller, cited),
      selectVersions(
        db,
        caller.userId,
        answers.map(({ messageId }) => messageId),
      ),
    ])
    const byMessage = Map.groupBy(versions, ({ messageId }) => messageId)
    return rows.map((row) => presentChatMessage(row, byMessage.get(row.messageId) ?? [], texts))
  }
