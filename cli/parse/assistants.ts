import type { Command } from 'commander'
import { assistantNames } from '../assistants/clients.ts'
import { defineCommands, type Invocation, type RunWithoutContext } from './define.ts'

export const assistantCommands = (program: Command, runWithoutContext: RunWithoutContext): void => {
  defineCommands(program, runWithoutContext, () => import('../commands/hook/hook.ts'))(
    'hook [names...]',
    'Handle an event of an assistant (run by its hooks)',
    (module) =>
      ({ io }: Invocation, { names }: { names: string[] }) =>
        module.runHook(io.runtime, names),
  )
    .allowUnknownOption()
    .addHelpText('after', HOOK)
}

const HOOK = `
Assistants: ${assistantNames.join(', ')}

It reads the event as JSON from stdin, stores the prompt or the answer, and prints what the
assistant should know. It always exits with 0 and prints no errors: see svc doctor.`
