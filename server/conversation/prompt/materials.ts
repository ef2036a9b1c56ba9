import type { Static } from '@sinclair/typebox'
import type { answering } from '../../../shared/schemas/chat.ts'
import type { ContentBlock } from '../../../shared/schemas/chat-sessions.ts'
import { isUuid } from '../../../shared/schemas/common.ts'
import type { UrlPage } from '../../../shared/schemas/url.ts'
import type { PreferenceService } from '../../account/preferences/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { ContentPart } from '../../platform/models/types.ts'
import type { FileForPrompt, FileService } from '../files/service.ts'
import type { UrlService } from '../url/service.ts'
import type { DataItem } from './data.ts'
import type { Learning } from './learning.ts'
import { urlsIn } from './pages.ts'
import { pictureOf } from './pictures.ts'

export type ToolEvent = Static<typeof answering.tool>

/** What a message carries beside its words. */
export interface Attached {
  message: string
  blocks: ContentBlock[]
  fileIds: string[]
  snapshotHash: string | null
}

/** What is known from what a message carries. */
export interface Materials {
  texts: DataItem[]
  pictures: ContentPart[]
  /** What became of the addresses in the message. */
  events: ToolEvent[]
  /** The page that goes with the message. */
  snapshotHash: string | null
}

/** Of what was attached before in the conversation, the newest few. */
const MAX_EARLIER_FILES = 5
const MAX_EARLIER_PAGES = 3

export interface MaterialSources {
  files: Pick<FileService, 'forPrompt'>
  urls: Pick<UrlService, 'readForMessage' | 'find'>
  preferences: Pick<PreferenceService, 'get'>
  learning: Pick<Learning, 'page'>
}

export type Gather = ReturnType<typeof createMaterials>

export const createMaterials = ({ files, urls, preferences, learning }: MaterialSources) => {
  /** Reads a page for a conversation, and remembers it where the person wants that. */
  const read = async (caller: Caller, url: string): Promise<UrlPage> => {
    const [page, { auto_learn_urls }] = await Promise.all([
      urls.readForMessage(caller, { url }),
      preferences.get(caller),
    ])
    if (auto_learn_urls === 'on') await learning.page(caller, page)
    return page
  }

  const pagesOf = async (caller: Caller, message: string) => {
    const addresses = urlsIn(message)
    const { auto_fetch_urls: choice } = addresses.length
      ? await preferences.get(caller)
      : { auto_fetch_urls: 'never' }
    if (choice === 'never') return []
    return Promise.all(
      addresses.map(async (url, index) => {
        const told = { name: 'fetch_url', id: `url_${index + 1}`, input: { url } }
        if (choice === 'ask') return { event: { ...told, state: 'proposed' as const } }
        try {
          const page = await read(caller, url)
          return { event: { ...told, state: 'done' as const }, page }
        } catch (error) {
          // A page that cannot be had, or one too many, is no reason not to answer.
          if (!(error instanceof ApiError)) throw error
          return { event: { ...told, state: 'failed' as const }, failure: error.message }
        }
      }),
    )
  }

  /** @throws ApiError 404 for a page that is not there or not the caller's. */
  const snapshotOf = async (caller: Caller, hash: string): Promise<DataItem> => {
    const snapshot = await urls.find(caller.userId, hash)
    if (!snapshot) throw new ApiError(404, 'Page not found')
    return pageItem(snapshot)
  }

  /** What was attached to earlier messages and is still there. */
  const earlierTexts = async (caller: Caller, earlier: Attached[]): Promise<DataItem[]> => {
    const newest = earlier.toReversed()
    const fileIds = new Set(newest.flatMap(filesOf))
    const hashes = new Set(newest.flatMap(({ snapshotHash }) => snapshotHash ?? []))
    const found = await Promise.all(
      [
        ...[...hashes].slice(0, MAX_EARLIER_PAGES).map((hash) => snapshotOf(caller, hash)),
        ...[...fileIds]
          .slice(0, MAX_EARLIER_FILES)
          .map(async (id) => fileItems(await files.forPrompt(caller, [id]))),
      ].map((item) => Promise.resolve(item).catch(unlessGone)),
    )
    return found.flat()
  }

  return {
    read,

    /**
     * Reads what a message carries, and what earlier ones did.
     * @throws ApiError 404 for files and pages that are not there.
     */
    async gather(caller: Caller, attached: Attached, earlier: Attached[]): Promise<Materials> {
      const { message, blocks, snapshotHash } = attached
      const fileIds = filesOf(attached)
      if (!fileIds.every(isUuid)) throw new ApiError(404, 'File not found')
      const [given, snapshot, before] = await Promise.all([
        files.forPrompt(caller, fileIds),
        snapshotHash ? snapshotOf(caller, snapshotHash) : undefined,
        earlierTexts(caller, earlier),
      ])
      const pictures = await Promise.all(
        given.flatMap(({ type, picture }) =>
          picture
            ? picture().then((data) => ({ type: 'image' as const, mediaType: type, data }))
            : [],
        ),
      )
      const pages = await pagesOf(caller, message)
      const fetched = pages.flatMap(({ page }) => page ?? [])
      return {
        texts: distinct([
          ...fileItems(given),
          ...(snapshot ? [snapshot] : []),
          ...fetched.map(pageItem),
          ...pages.flatMap(({ event, failure }) => (failure ? unread(event, failure) : [])),
          ...before,
        ]),
        pictures: [...blocks.flatMap((block) => pictureOf(block) ?? []), ...pictures],
        events: pages.map(({ event }) => event),
        snapshotHash: snapshotHash ?? fetched[0]?.snapshot_hash ?? null,
      }
    },
  }
}

/** The files of a message: by themselves, and in its blocks. */
export const filesOf = ({ fileIds, blocks }: Pick<Attached, 'fileIds' | 'blocks'>): string[] => [
  ...new Set([
    ...fileIds,
    ...blocks.flatMap(({ type, file_id }) => (type === 'file' && file_id ? file_id : [])),
  ]),
]

/** The words of a message, with those of its blocks. */
export const wordsOf = ({ message, blocks }: Pick<Attached, 'message' | 'blocks'>): string =>
  [message, ...blocks.flatMap(({ type, text }) => (type === 'text' && text ? text : []))]
    .filter((text) => text !== '')
    .join('\n\n')

const pageItem = ({ url, title, text }: Pick<UrlPage, 'url' | 'title' | 'text'>): DataItem => ({
  kind: 'page',
  about: { url, title },
  text,
})

const unread = ({ input }: ToolEvent, failure: string): DataItem => ({
  kind: 'note',
  about: { url: (input as { url: string }).url },
  text: `This page could not be read: ${failure}`,
})

const fileItems = (files: FileForPrompt[]): DataItem[] =>
  files.flatMap(({ name, type, text, picture }) =>
    picture
      ? []
      : {
          kind: 'file' as const,
          about: { name, type },
          text: text ?? '(no text could be read out of it)',
        },
  )

const distinct = (items: DataItem[]): DataItem[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]

const unlessGone = (error: unknown): DataItem[] => {
  if (error instanceof ApiError && error.status === 404) return []
  throw error
}
