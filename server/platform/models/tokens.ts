import type { Message } from './types.ts'

/**
 * With o200k_base and cl100k_base, English and code have 3.5 to 4.7 bytes per token, JSON 2.5, other
 * languages 2 to 5.8. The value rather overestimates the number of tokens.
 */
const BYTES_PER_TOKEN = 3
/** A large image in tiles of 512 pixels, as OpenAI counts them. */
const TOKENS_PER_IMAGE = 1_105
/** The role and the delimiters of a message. */
const TOKENS_PER_MESSAGE = 4

/** Estimates the number of tokens of a text, for any model. */
export const estimateTokens = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

/** Estimates the number of tokens of a message within a prompt. */
export const estimateMessageTokens = ({ content }: Message): number => {
  if (typeof content === 'string') return TOKENS_PER_MESSAGE + estimateTokens(content)
  return content.reduce(
    (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : TOKENS_PER_IMAGE),
    TOKENS_PER_MESSAGE,
  )
}

/** Estimates the number of tokens of a prompt. */
export const estimatePromptTokens = ({
  system,
  messages,
}: {
  system: string
  messages: Message[]
}): number =>
  messages.reduce((sum, message) => sum + estimateMessageTokens(message), estimateTokens(system))
