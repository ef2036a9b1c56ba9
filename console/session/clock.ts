/** Smaller differences come from the network, and from the seconds that `Date` headers count. */
const TOLERANCE_MS = 60_000

let offsetMs = 0

/** The time of the server in milliseconds, for comparison with its times: the clock of this device may be off. */
export const serverNow = (): number => Date.now() + offsetMs

/**
 * Learns the time of the server from a response (RFC 9110, section 6.6.1).
 * @param sentAt when the request was sent. The response to an old one has an old time, as after a sleep of the device.
 */
export const learnTime = ({ headers }: Response, sentAt: number): void => {
  const time = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(time) || Date.now() - sentAt > TOLERANCE_MS) return
  const difference = time - Date.now()
  offsetMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0
}
