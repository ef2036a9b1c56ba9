import { ApiFailure, Unreachable } from '../../shared/client-errors.ts'

export {
  ApiFailure,
  CutOff,
  NotSvc,
  TimedOut,
  Unreachable,
} from '../../shared/client-errors.ts'

/** The server has no such endpoint, or its response has another form: it has another version than this client. */
export class OtherVersion extends Unreachable {
  override name = 'OtherVersion'
  /** How the caller can solve the problem. */
  readonly fix = 'Install the svc-client of the version of the server'
}

/** A started stream ended with an error of the server. Parts that arrived before it are valid. */
export class StreamFailed extends ApiFailure {
  override name = 'StreamFailed'
}
