/** Why an action could not be done, in words for the person. */
export class FiringFailure extends Error {
  override name = 'FiringFailure'
  constructor(
    message: string,
    readonly outcome: {
      /** Trying again would not help. */
      isFinal: boolean
      /** The reflex is switched off, because of this. */
      disables?: string
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
