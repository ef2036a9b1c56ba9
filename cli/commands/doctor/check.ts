/** The result of a check. `next` is the fix, if one is needed. */
export interface Check {
  name: string
  state: 'ok' | 'warning' | 'failed'
  message: string
  next?: string
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message })

export const warning = (name: string, message: string, next: string): Check => ({
  name,
  state: 'warning',
  message,
  next,
})

export const failed = (name: string, message: string, next: string): Check => ({
  name,
  state: 'failed',
  message,
  next,
})
