/** Stands for what is not shown of a URL. */
export const HIDDEN = '[hidden]'

/** The value without the user, password and query of a URL, which may be secret. */
export const showValue = (value: string): string => {
  if (!value.includes('://') || !URL.canParse(value)) return value
  const { protocol, username, password, host, pathname, search } = new URL(value)
  const user = username || password ? `${HIDDEN}@` : ''
  const path = pathname === '/' && !value.endsWith('/') ? '' : pathname
  return `${protocol}//${user}${host}${path}${search && `?${HIDDEN}`}`
}

const HINT_LENGTH = 4
/** A part of a shorter secret would say too much. */
const MIN_HINTED_LENGTH = 16

/** The end of a secret, by which an admin recognizes it. */
export const hintOf = (secret: string): string | null =>
  secret.length < MIN_HINTED_LENGTH ? null : secret.slice(-HINT_LENGTH)
