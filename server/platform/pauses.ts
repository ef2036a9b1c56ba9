/** Pauses of background work, which tests shorten. */
export interface Pauses {
  /** From the last write of an owner until its engines run, so that a burst of writes is one run. */
  engineDebounceMs: number
  /** From a failed run of the engines until its first retry. */
  engineRetryMs: number
  /** From a failed job, such as an email or a webhook, until its first retry. */
  jobRetrySeconds: number
}

export const PAUSES: Pauses = { engineDebounceMs: 500, engineRetryMs: 3_000, jobRetrySeconds: 3 }
