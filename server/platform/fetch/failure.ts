/** Why a page could not be fetched. */
type FetchReason =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'status'
  | 'broken'
  | 'not_text'
  | 'unreadable'

/** A page that could not be fetched or read. The message may be shown to the user. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  constructor(
    readonly reason: FetchReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * The same failure for a forbidden address and for a name that does not exist. A difference would
 * reveal which names and addresses exist in the server's network.
 */
export const refused = (): FetchFailure =>
  new FetchFailure('refused', 'There is no public web server at this address')
