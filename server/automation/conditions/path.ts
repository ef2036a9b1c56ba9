/** What stands for nothing being there. */
export type Found = { value: unknown } | undefined

/**
 * Follows a path into JSON: names and places joined by dots (`value.readings.0`), or a JSON pointer
 * (RFC 6901) where it begins with a slash.
 * @returns undefined where there is nothing.
 */
export const findAt = (json: unknown, path: string): Found => {
  let value = json
  for (const step of stepsOf(path)) {
    const next = follow(value, step)
    if (!next) return undefined
    value = next.value
  }
  return { value }
}

/** Whether a path can lead anywhere: no name is missing, and each `~` of a pointer stands for something. */
export const isPath = (path: string): boolean =>
  path.startsWith('/') ? !/~(?![01])/.test(path) : path.split('.').every((step) => step.trim())

const stepsOf = (path: string): string[] =>
  path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.split('.')

const follow = (value: unknown, step: string): Found => {
  if (Array.isArray(value)) {
    const index = /^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : -1
    return index >= 0 && index < value.length ? { value: value[index] } : undefined
  }
  // What every object inherits is not in the event.
  return value !== null && typeof value === 'object' && Object.hasOwn(value, step)
    ? { value: (value as Record<string, unknown>)[step] }
    : undefined
}
