/** A failure of a command that the operator can fix. Its message is printed without a stack trace. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** A startup failure that the user can fix. Its message is printed without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
