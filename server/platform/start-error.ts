/** A reason not to start that its message explains in full: shown as is, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
