/** Sends a progress notification. `amount` must increase. */
export type ReportProgress = (amount: number, message: string) => Promise<void>

/** Minimum number of new characters between two reports. */
const REPORT_INTERVAL_CHARS = 200
/** A report resets the timeout of a client, which is 60 seconds in most. */
const HEARTBEAT_MS = 4_000

export type ToolProgress = ReturnType<typeof startProgress>

/**
 * Reports events, the length of the growing answer, and the time while there is neither. The progress
 * value is the number of the report.
 */
export const startProgress = (reportProgress: ReportProgress, waitsFor = 'the model') => {
  const startedAt = performance.now()
  let reports = 0
  let length = 0
  let reportedLength = 0
  const heartbeat = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    // A lost connection ends the call elsewhere.
    reportProgress(++reports, `waiting for ${waitsFor}, ${seconds} s so far`).catch(() => {})
  }, HEARTBEAT_MS)
  const report = (message: string) => {
    heartbeat.refresh()
    return reportProgress(++reports, message)
  }
  return {
    report,
    async addText(text: string): Promise<void> {
      length += text.length
      if (reportedLength > 0 && length - reportedLength < REPORT_INTERVAL_CHARS) return
      reportedLength = length
      await report(`${length} characters so far`)
    },
    [Symbol.dispose]: () => clearInterval(heartbeat),
  }
}
