import { isAssistantName } from '../../assistants/clients.ts'
import type { Runtime } from '../../runtime.ts'

/**
 * Handles an event of an assistant: reads its JSON from stdin and writes the answer in the form of the
 * assistant to stdout. An assistant must never work worse because of svc, so this never throws and writes
 * nothing else.
 * @param args the name of the assistant, and the event for one whose input does not name it.
 */
export const runHook = async (runtime: Runtime, args: readonly string[]): Promise<void> => {
  try {
    const [client = ''] = args
    if (!isAssistantName(client)) return
    await runtime.stdin.bytes()
  } catch {}
}
