import { sendEntry } from '../assistants/delivery.ts'
import { openOutages } from '../assistants/outages.ts'
import { deliverSpool, openSpool, type RefusedCapture } from '../assistants/spool.ts'
import { CliError } from '../errors.ts'
import { formatMinute } from '../format.ts'
import { oneLine } from '../output.ts'
import type { Invocation } from '../parse/define.ts'

/** A user waits for it, and may interrupt it. */
const DELIVERY_TIMEOUT_MS = 600_000

/** Sends the turns that wait, and lists those that the server refused. */
export const runSpool = async (
  { io, environment, options }: Invocation,
  { retry }: { retry?: boolean },
): Promise<void> => {
  io.willPrint(['sent', 'waiting', 'refused', 'error'])
  const spool = openSpool(environment.configDir)
  if (retry) spool.retry()
  const outages = openOutages(environment.configDir, io.runtime.clock.now)
  const { sent, error } = await deliverSpool(spool, {
    send: sendEntry(environment, outages, { isForced: true }),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    now: io.runtime.clock.now,
    onSent: (count) => io.showProgress(`Sent ${turns(count)} …`),
  })
  io.clear()
  const waiting = spool.names().length
  const refused = spool.refused()
  const problem = error === undefined ? null : oneLine(messageOf(error))
  if (options.json) io.printJson({ sent, waiting, refused, error: problem })
  else {
    io.print(`${turns(sent)} sent, ${waiting} waiting, ${refused.length} refused.`)
    for (const each of refused) io.print(describe(each))
    if (refused.length) io.info('To send the refused turns again, run: svc spool --retry')
  }
  if (waiting && problem !== null)
    throw new CliError(`${turns(waiting)} could not be sent: ${problem}.`, 'Run: svc doctor')
}

const turns = (count: number): string => (count === 1 ? '1 turn' : `${count} turns`)

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : `${error}`).replace(/\.$/, '')

const describe = ({ client, refused_at, status, message }: RefusedCapture): string =>
  oneLine(
    `${formatMinute(refused_at)}  ${client ?? 'unknown'}  ${status === null ? '' : `${status} `}${message}`,
  )
