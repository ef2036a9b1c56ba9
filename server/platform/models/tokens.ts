import type { Message } from './types.ts'

/**
 * Of the tokenizers looked at (o200k_base, cl100k_base), English and code take 3.5 to 4.7 bytes for a
 * token, JSON 2.5, other languages 2 to 5.8: rather too many tokens than too few.
 */
const BYTES_PER_TOKEN = 3
/** A large picture in parts of 512 pixels, as OpenAI counts them. */
const TOKENS_PER_IMAGE = 1_105
/** What a message takes beside its text: the role and the marks around it. */
const TOKENS_PER_MESSAGE = 4

/** About how many tokens a text has, whatever the model. */
export const estimateTokens = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

/** About how many tokens a message takes of a prompt. */
export const estimateMessageTokens = ({ content }: Message): number => {
  if (typeof content === 'string') return TOKENS_PER_MESSAGE + estimateTokens(content)
  return content.reduce(
    (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : TOKENS_PER_IMAGE),
    TOKENS_PER_MESSAGE,
  )
}

/** About how many tokens all that a model is sent takes. */
export const estimatePromptTokens = ({
  system,
  messages,
}: {
  system: string
  messages: Message[]
}): number =>
  messages.reduce((sum, message) => sum + estimateMessageTokens(message), estimateTokens(system))
