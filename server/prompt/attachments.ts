import { isUuid } from '../../shared/contract/common.ts'
import type { UrlPage } from '../../shared/contract/url.ts'
import type { PreferenceService } from '../account/users/settings/service.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/error.ts'
import type { ContentPart } from '../platform/models/types.ts'
import type { ToolEvent } from './completion.ts'
import type { LearningService } from './learning.ts'
import {
  fileIdsIn,
  findUrls,
  imagePart,
  type MessageContent,
  promptError,
} from './message-content.ts'
import type { DataItem } from './quoted-data.ts'

/** A stored file, as a prompt needs it. */
export interface PromptFile {
  name: string
  type: string
  /** The extracted text; null where there is none, as in an image. */
  text: string | null
  /** Reads the bytes of an image; undefined for other files. */
  image: (() => Promise<Uint8Array>) | undefined
}

type PageText = Pick<UrlPage, 'url' | 'title' | 'text'>

/** Where attachments are stored. */
interface AttachmentSources {
  files: {
    /** @throws ApiError 404 for a file that does not exist. */
    forPrompt(caller: Caller, fileIds: string[]): Promise<PromptFile[]>
  }
  urls: {
    /** Fetches a page and stores its text. @throws ApiError when it cannot be read. */
    readForMessage(caller: Caller, body: { url: string }): Promise<UrlPage>
    /** A stored page. */
    find(userId: string, hash: string): Promise<PageText | undefined>
  }
  preferences: Pick<PreferenceService, 'get'>
  learning: Pick<LearningService, 'learnPage'>
}

/** The content of attachments, as a prompt takes it. */
export interface LoadedAttachments {
  texts: DataItem[]
  images: ContentPart[]
  /** One for each URL in the message: fetched, failed or proposed. */
  toolEvents: ToolEvent[]
  /** The page that is stored with the message. */
  snapshotHash: string | null
}

/** The newest attachments of earlier messages are quoted. */
const MAX_EARLIER_FILES = 5
const MAX_EARLIER_PAGES = 3

export type Attachments = ReturnType<typeof createAttachments>

export const createAttachments = ({ files, urls, preferences, learning }: AttachmentSources) => {
  /** Fetches a page, and remembers it where the user's preferences say so. */
  const fetchPage = async (caller: Caller, url: string): Promise<UrlPage> => {
    const [page, { auto_learn_urls }] = await Promise.all([
      urls.readForMessage(caller, { url }),
      preferences.get(caller),
    ])
    if (auto_learn_urls === 'on') await learning.learnPage(caller, page)
    return page
  }

  const fetchPages = async (caller: Caller, message: string) => {
    const found = findUrls(message)
    const { auto_fetch_urls: choice } = found.length
      ? await preferences.get(caller)
      : { auto_fetch_urls: 'never' }
    if (choice === 'never') return []
    return Promise.all(
      found.map(async (url, index) => {
        const call = { name: 'fetch_url', id: `url_${index + 1}`, input: { url } }
        if (choice === 'ask') return { event: { ...call, state: 'proposed' as const } }
        try {
          const page = await fetchPage(caller, url)
          return { event: { ...call, state: 'done' as const }, page }
        } catch (error) {
          // A page that cannot be read does not fail the turn.
          if (!(error instanceof ApiError)) throw error
          return { event: { ...call, state: 'failed' as const }, failure: error.message }
        }
      }),
    )
  }

  /** @throws ApiError 404 for a page that does not exist or is another user's. */
  const snapshotItem = async (caller: Caller, hash: string): Promise<DataItem> => {
    const snapshot = await urls.find(caller.userId, hash)
    if (!snapshot) throw promptError('attached_page_not_found')
    return pageItem(snapshot)
  }

  /** Attachments of earlier messages; deleted ones are skipped. */
  const earlierTexts = async (caller: Caller, earlier: MessageContent[]): Promise<DataItem[]> => {
    const newest = earlier.toReversed()
    const fileIds = new Set(newest.flatMap(fileIdsIn))
    const hashes = new Set(newest.flatMap(({ snapshotHash }) => snapshotHash ?? []))
    const found = await Promise.all(
      [
        ...[...hashes].slice(0, MAX_EARLIER_PAGES).map((hash) => snapshotItem(caller, hash)),
        ...[...fileIds]
          .slice(0, MAX_EARLIER_FILES)
          .map(async (id) => fileItems(await files.forPrompt(caller, [id]))),
      ].map((item) => Promise.resolve(item).catch(skipNotFound)),
    )
    return found.flat()
  }

  return {
    fetchPage,

    /**
     * Loads the attachments of a message and of earlier ones.
     * @throws ApiError 404 for files and pages of this message that do not exist.
     */
    async load(
      caller: Caller,
      content: MessageContent,
      earlier: MessageContent[],
    ): Promise<LoadedAttachments> {
      const { message, blocks, snapshotHash } = content
      const fileIds = fileIdsIn(content)
      if (!fileIds.every(isUuid)) throw promptError('attached_file_not_found')
      const [own, snapshot, before] = await Promise.all([
        files.forPrompt(caller, fileIds),
        snapshotHash === null ? undefined : snapshotItem(caller, snapshotHash),
        earlierTexts(caller, earlier),
      ])
      const images = await Promise.all(own.flatMap(readImage))
      const pages = await fetchPages(caller, message)
      const fetched = pages.flatMap(({ page }) => page ?? [])
      return {
        texts: distinct([
          ...fileItems(own),
          ...(snapshot ? [snapshot] : []),
          ...fetched.map(pageItem),
          ...pages.flatMap(({ event, failure }) =>
            failure ? failedPage(event.input, failure) : [],
          ),
          ...before,
        ]),
        images: [...blocks.flatMap((block) => imagePart(block) ?? []), ...images],
        toolEvents: pages.map(({ event }) => event),
        snapshotHash: snapshotHash ?? fetched[0]?.snapshot_hash ?? null,
      }
    },
  }
}

const readImage = ({ type, image }: PromptFile): Promise<ContentPart>[] =>
  image ? [image().then((data) => ({ type: 'image', mediaType: type, data }))] : []

const pageItem = ({ url, title, text }: PageText): DataItem => ({
  kind: 'page',
  attributes: { url, title },
  text,
})

const failedPage = ({ url }: { url: string }, failure: string): DataItem => ({
  kind: 'note',
  attributes: { url },
  text: `This page could not be read: ${failure}`,
})

const fileItems = (files: PromptFile[]): DataItem[] =>
  files.flatMap(({ name, type, text, image }) =>
    image
      ? []
      : {
          kind: 'file' as const,
          attributes: { name, type },
          text: text ?? '(no text could be read out of it)',
        },
  )

const distinct = (items: DataItem[]): DataItem[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]

const skipNotFound = (error: unknown): DataItem[] => {
  if (error instanceof ApiError && error.status === 404) return []
  throw error
}
