import type { Depth, ToolName } from '../../../shared/contract/chat.ts'
import type { StoredFile } from '../../../shared/contract/files.ts'
import type { UrlPage } from '../../../shared/contract/url.ts'
import { createKeyedStore } from './keyed-store.ts'

/** A file of a draft: being uploaded until it is `stored` or has an `error`. */
export interface DraftFile {
  key: string
  name: string
  size: number
  stored?: StoredFile
  error?: Error
}

/** An unsent message. It stays while the user looks at another chat, and over a sign-in (`kept-drafts.ts`). */
export interface Draft {
  text: string
  files: readonly DraftFile[]
  page: UrlPage | null
  depth: Depth
  tools: readonly ToolName[]
  /** The provider that answers; null for the first one. */
  provider: string | null
}

export const EMPTY_DRAFT: Draft = {
  text: '',
  files: [],
  page: null,
  depth: 'quick',
  tools: [],
  provider: null,
}

/** The key of the draft and the turn of a chat without messages. */
export const NEW_CHAT = 'new'

export const drafts = createKeyedStore<Draft>(EMPTY_DRAFT)

export const changeDraft = (key: string, change: Partial<Draft>): void =>
  drafts.set(key, { ...drafts.get(key), ...change })

export const changeDraftFile = (key: string, fileKey: string, change: Partial<DraftFile>): void => {
  const { files } = drafts.get(key)
  changeDraft(key, {
    files: files.map((file) => (file.key === fileKey ? { ...file, ...change } : file)),
  })
}

/** After sending, the choice of depth, tools and model stays. */
export const clearDraft = (key: string): void => {
  const { depth, tools, provider } = drafts.get(key)
  drafts.set(key, { ...EMPTY_DRAFT, depth, tools, provider })
}

export const storedFiles = ({ files }: Draft): StoredFile[] =>
  files.flatMap(({ stored }) => stored ?? [])

export const canSend = (draft: Draft): boolean =>
  (draft.text.trim() !== '' || storedFiles(draft).length > 0) &&
  draft.files.every(({ stored, error }) => stored || error)
