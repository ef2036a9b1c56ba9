import type { ContentPart, Message } from '../../platform/models/types.ts'
import { QUOTED } from '../prompt/local.ts'
import { type Attached, wordsOf } from '../prompt/materials.ts'
import { pictureOf } from '../prompt/pictures.ts'
import type { ChatMessageRow } from '../sessions/table.ts'

/** What a message carried, as it is kept. */
export const attachedTo = (row: ChatMessageRow): Attached => ({
  message: row.content,
  blocks: row.contentBlocks,
  fileIds: row.fileIds,
  snapshotHash: row.urlSnapshotHash,
})

/** Whether a message answers nobody: a reflex told the person something. */
export const isTidings = ({ role, replyTo }: ChatMessageRow): boolean =>
  role === 'assistant' && replyTo === null

/** What stands for such a message: its words may be anybody's, and are shown as data. */
const TOLD = '(A reflex of the person told them something here; the notes quote it.)'

/** A message of a session as a model is told of it. */
export const toldOf = (row: ChatMessageRow): Message => {
  if (isTidings(row)) return { role: 'assistant', content: TOLD }
  if (row.role === 'assistant')
    return { role: 'assistant', content: row.provider === 'local' ? QUOTED : row.content }
  const text = wordsOf(attachedTo(row))
  const pictures = row.contentBlocks.flatMap((block) => pictureOf(block) ?? [])
  if (pictures.length === 0) return { role: 'user', content: text }
  const parts: ContentPart[] = [{ type: 'text', text }, ...pictures]
  return { role: 'user', content: parts }
}
