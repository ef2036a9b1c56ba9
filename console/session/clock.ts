/** Smaller differences come from the network, and from the seconds that `Date` headers count. */
const TOLERANCE_MS = 60_000

let offsetMs = 0

/** The time of the server in milliseconds, for comparison with its times: the clock of this device may be off. */
export const serverNow = (): number => Date.now() + offsetMs

/** Learns the time of the server from a response (RFC 9110, section 6.6.1). A cached one has an old time. */
export const learnTime = ({ headers }: Response): void => {
  const time = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(time) || headers.has('age')) return
  const difference = time - Date.now()
  offsetMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0
}
