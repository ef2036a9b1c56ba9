import { authorizeProgram } from '../../../shared/contract/index.ts'
import type { CookieAt } from '../../platform/http/route.ts'
import type { RequestFields } from './request.ts'

const SECONDS = 600
/** A browser keeps no cookie of more than about 4,000 characters. */
const MAX_LENGTH = 3_000

/** Sent only to where somebody lands who comes back from a provider. */
const cookieOf = (cookie: CookieAt) => cookie('waiting_program', '/auth/callback', SECONDS)

/** Keeps what a program asked for while a person signs in elsewhere. */
export const keepWaiting = (cookie: CookieAt, fields: RequestFields): void => {
  const text = Buffer.from(new URLSearchParams(fields).toString()).toString('base64url')
  if (text.length <= MAX_LENGTH) cookieOf(cookie).set(text)
}

/** The page that asks about it, once; undefined where nothing waits. */
export const takeWaiting = (cookie: CookieAt): string | undefined => {
  const kept = cookieOf(cookie)
  if (!kept.value) return undefined
  kept.clear()
  return `${authorizeProgram.path}?${Buffer.from(kept.value, 'base64url').toString()}`
}
