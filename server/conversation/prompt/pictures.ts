import type { ContentBlock } from '../../../shared/schemas/chat-sessions.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { ContentPart } from '../../platform/models/types.ts'

const PICTURE_URL = /^data:(image\/(?:png|jpeg|webp|gif));base64,([A-Za-z0-9+/]+={0,2})$/

/** A picture that a message carries itself. @returns undefined for any other URL: none is fetched. */
export const pictureOf = ({ type, image_url }: ContentBlock): ContentPart | undefined => {
  const [, mediaType, data] = PICTURE_URL.exec((type === 'image_url' && image_url?.url) || '') ?? []
  if (!mediaType || !data) return undefined
  return { type: 'image', mediaType, data: Buffer.from(data, 'base64') }
}

/** @throws ApiError 422 for blocks that lack what their type says, all of them at once. */
export const checkBlocks = (blocks: ContentBlock[]): void => {
  const mistakes = blocks.flatMap((block, index) => {
    const field = FIELDS[block.type]
    const loc = ['body', 'content_blocks', index, field]
    if (block[field] === undefined) return [{ loc, type: 'missing', msg: 'Field required' }]
    if (block.type !== 'image_url' || pictureOf(block)) return []
    const msg = "URL should be a 'data:' URL of a PNG, JPEG, WebP or GIF picture in base64"
    return [{ loc: [...loc, 'url'], type: 'url_parsing', msg }]
  })
  if (mistakes.length) throw new ApiError(422, mistakes)
}

const FIELDS = { text: 'text', image_url: 'image_url', file: 'file_id' } as const
