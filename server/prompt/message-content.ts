import type { ContentBlock } from '../../shared/contract/chat-messages.ts'
import type { FieldError } from '../../shared/errors.ts'
import { defineErrors } from '../platform/http/error.ts'
import type { ContentPart } from '../platform/models/types.ts'

export const promptError = defineErrors({
  attached_file_not_found: { status: 404, detail: 'File not found' },
  attached_page_not_found: { status: 404, detail: 'Page not found' },
  content_blocks_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
})

/** A message of the user with what is attached to it. */
export interface MessageContent {
  message: string
  blocks: ContentBlock[]
  fileIds: string[]
  snapshotHash: string | null
}

/** The files of a message: those attached to it and those of its content blocks. */
export const fileIdsIn = ({
  fileIds,
  blocks,
}: Pick<MessageContent, 'fileIds' | 'blocks'>): string[] => [
  ...new Set([
    ...fileIds,
    ...blocks.flatMap(({ type, file_id }) => (type === 'file' && file_id ? file_id : [])),
  ]),
]

/** The text of a message with that of its content blocks. */
export const messageText = ({
  message,
  blocks,
}: Pick<MessageContent, 'message' | 'blocks'>): string =>
  [message, ...blocks.flatMap(({ type, text }) => (type === 'text' && text ? text : []))]
    .filter((text) => text !== '')
    .join('\n\n')

const IMAGE_URL = /^data:(image\/(?:png|jpeg|webp|gif));base64,([A-Za-z0-9+/]+={0,2})$/

/** The image in a block's data URL. @returns undefined for any other URL: none is fetched. */
export const imagePart = ({ type, image_url }: ContentBlock): ContentPart | undefined => {
  const [, mediaType, data] = IMAGE_URL.exec((type === 'image_url' && image_url?.url) || '') ?? []
  if (!mediaType || !data) return undefined
  return { type: 'image', mediaType, data: Buffer.from(data, 'base64') }
}

/** @throws ApiError 422 that lists every block without the field that its type requires. */
export const checkBlocks = (blocks: ContentBlock[]): void => {
  const problems = blocks.flatMap((block, index) => {
    const field = REQUIRED_FIELDS[block.type]
    const loc = ['body', 'content_blocks', index, field]
    if (block[field] === undefined) return [{ loc, type: 'missing', msg: 'Field required' }]
    if (block.type !== 'image_url' || imagePart(block)) return []
    const msg = "URL should be a 'data:' URL of a PNG, JPEG, WebP or GIF picture in base64"
    return [{ loc: [...loc, 'url'], type: 'url_parsing', msg }]
  })
  if (problems.length) throw promptError('content_blocks_invalid', problems)
}

const REQUIRED_FIELDS = { text: 'text', image_url: 'image_url', file: 'file_id' } as const

/** At most so many URLs of a message are read. */
const MAX_URLS = 3

/** Longer URLs are ignored (RFC 9110 recommends support for 8,000 octets; browsers show 2,000). */
const MAX_URL_CHARS = 2_000

/** The first web URLs in a text, without duplicates. */
export const findUrls = (text: string): string[] => {
  const urls = new Set<string>()
  for (const [match] of text.matchAll(/https?:\/\/[^\s<>"'`\\^{|}]+/gi)) {
    const url = match.length > MAX_URL_CHARS ? '' : trimPunctuation(match)
    if (URL.canParse(url)) urls.add(url)
    if (urls.size === MAX_URLS) break
  }
  return [...urls]
}

const CLOSING = '.,;:!?*_~»”’)]'

/** Drops the punctuation of the surrounding sentence; a `)` that closes a `(` of the URL stays. */
const trimPunctuation = (url: string): string => {
  let length = url.length
  while (length > 0 && CLOSING.includes(url[length - 1] as string)) length--
  const end = url.slice(0, length)
  const isOpen = end.lastIndexOf('(') > end.lastIndexOf(')')
  return isOpen && url[length] === ')' ? `${end})` : end
}
