import type { CapturedMessage } from '../../shared/contract/capture.ts'

/** Replaces the credentials in a message. */
export const redactMessage = async (
  message: CapturedMessage,
): Promise<{ message: CapturedMessage; isRedacted: boolean }> => ({ message, isRedacted: false })
