export interface PatienceSettings {
  /** How long a model may take to its first token, each time it is called. */
  firstTokenMs: number
  /** How long it may pause after that. */
  betweenTokensMs: number
  /** How long a tool may run. */
  toolMs: number
  /** How long all of it may take: some models begin to repeat themselves and never end. */
  totalMs: number
}

/** Ends a wait that takes too long. Time that the reader takes between the parts does not count. */
export const createPatience = (
  { firstTokenMs, betweenTokensMs, toolMs, totalMs }: PatienceSettings,
  onTimeout: () => void,
) => {
  let leftMs = firstTokenMs
  let totalLeftMs = totalMs
  let toolsRunning = 0

  return {
    async wait<T>(next: Promise<T>): Promise<T> {
      const since = performance.now()
      const timer = setTimeout(onTimeout, Math.max(0, Math.min(leftMs, totalLeftMs)))
      try {
        return await next
      } finally {
        clearTimeout(timer)
        const waitedMs = performance.now() - since
        leftMs -= waitedMs
        totalLeftMs -= waitedMs
      }
    },
    /** Signs of life begin a new wait; other parts, such as headings, do not. */
    note(part: string): void {
      if (part === 'tool-call') toolsRunning++
      if (part === 'tool-result' || part === 'tool-error') toolsRunning--
      if (toolsRunning > 0) {
        if (part.startsWith('tool-')) leftMs = toolMs
      } else if (part === 'tool-result' || part === 'tool-error') leftMs = firstTokenMs
      else if (SIGNS_OF_LIFE.has(part)) leftMs = betweenTokensMs
    },
  }
}

const SIGNS_OF_LIFE = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
])
