import type { CapturedMessage } from '../../shared/contract/capture.ts'
import { redactSecrets } from '../../shared/secrets.ts'
import { storableText } from '../assistants/capture.ts'

/** A request has at most 1 MiB, and a character up to three bytes. */
const MAX_CONTENT_BYTES = 900_000

/** Replaces the credentials in a message, and cuts it to what the server stores. */
export const redactMessage = async (
  message: CapturedMessage,
): Promise<{ message: CapturedMessage; isRedacted: boolean }> => {
  const { text } = await redactSecrets(message.content)
  return {
    message: { ...message, content: cutToBytes(storableText(text)) },
    isRedacted: text !== message.content,
  }
}

/** Drops the character that the limit splits. */
const cutToBytes = (text: string): string =>
  Buffer.byteLength(text) <= MAX_CONTENT_BYTES
    ? text
    : Buffer.from(text).subarray(0, MAX_CONTENT_BYTES).toString().slice(0, -1)
