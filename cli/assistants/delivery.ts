import { DEFAULT_URL } from '../../mcp/stdio/local-config.ts'
import type { CliEnvironment } from '../config.ts'
import type { GuardOptions, Outages } from './outages.ts'
import type { SpooledCapture } from './spool.ts'
import { post, resolveTarget, type TargetChoice } from './target.ts'

/**
 * With damaged files the turn waits until they are repaired, and before the first sign-in it waits for that,
 * to any server.
 */
export const choiceOf = (environment: CliEnvironment): TargetChoice => {
  try {
    const { key, url, ...choice } = resolveTarget(environment)
    return key === undefined && url === DEFAULT_URL ? choice : { ...choice, url }
  } catch {
    return environment.profile === undefined ? {} : { profile: environment.profile }
  }
}

/** Sends a waiting turn to the server and the account that it belongs to, unless the server has just failed. */
export const sendEntry =
  (environment: CliEnvironment, outages: Outages, options?: GuardOptions) =>
  async ({ target: choice, capture }: SpooledCapture, signal: AbortSignal): Promise<unknown> => {
    const target = resolveTarget(environment, choice)
    return outages.guard(target.url, () => post(target, '/api/captures', capture, signal), options)
  }
