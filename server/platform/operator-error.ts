/** A failure of a command that the operator can fix. Its message is printed without a stack trace. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
