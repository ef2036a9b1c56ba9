import type { Command } from 'commander'
import { assistantNames } from '../assistants/clients.ts'
import { defineCommands, type Invocation, type RunWithoutContext } from './define.ts'
import { examples } from './examples.ts'

export const assistantCommands = (program: Command, runWithoutContext: RunWithoutContext): void => {
  defineCommands(program, runWithoutContext, () => import('../commands/hook/hook.ts'))(
    'hook [names...]',
    'Handle an event of an assistant (run by its hooks)',
    (module) =>
      ({ io, options }: Invocation, { names }: { names: string[] }) =>
        module.runHook(io.runtime, names, options),
  )
    .allowUnknownOption()
    .addHelpText('after', HOOK)

  defineCommands(program, runWithoutContext, () => import('../commands/spool.ts'))(
    'spool',
    'Send the turns of assistants that wait, and list refused ones',
    (module) => module.runSpool,
  )
    .option('--retry', 'send the refused turns again')
    .addHelpText('after', examples('svc spool', 'svc spool --json'))

  const pause = defineCommands(program, runWithoutContext, () => import('../commands/pause.ts'))
  pause(
    'pause [duration]',
    'Pause the memory of the assistants on this machine',
    (module) => module.runPause,
  ).addHelpText('after', examples('svc pause', 'svc pause 30m', 'svc pause 8h'))
  pause('resume', 'End the pause', (module) => module.runResume)
}

const HOOK = `
Assistants: ${assistantNames.join(', ')}

It reads the event as JSON from stdin, stores the prompt or the answer, and prints what the
assistant should know. It always exits with 0 and prints no errors: see svc doctor.`
