/** Why a page could not be fetched. */
export type FetchReason =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'status'
  | 'broken'
  | 'not_text'
  | 'unreadable'

/** A page that could not be fetched or read; the message may be shown to whoever asked for it. */
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
 * For an address that may not be fetched and a name that does not exist alike: what differs would
 * tell which names and addresses there are in the network of the server.
 */
export const refused = (): FetchFailure =>
  new FetchFailure('refused', 'There is no public web server at this address')
