import type { CapturedMessage } from '../../shared/contract/capture.ts'
import { redactSecrets } from '../../shared/secrets.ts'

/** Replaces the credentials in a message. */
export const redactMessage = async (
  message: CapturedMessage,
): Promise<{ message: CapturedMessage; isRedacted: boolean }> => {
  const { text, kinds } = await redactSecrets(message.content)
  return { message: { ...message, content: text }, isRedacted: kinds.length > 0 }
}
