import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { definedFields } from '../defined.ts'
import type { RunWithContext } from './run.ts'

type Handler<Input> = (context: Context, input: Input) => Promise<void>

/**
 * Returns a function that declares subcommands. Their module is loaded when one of them runs, and the
 * handler gets the arguments and options as one object.
 */
export const lazyCommands =
  <Module>(parent: Command, run: RunWithContext, load: () => Promise<Module>) =>
  <Input>(
    usage: string,
    description: string,
    choose: (module: Module) => Handler<Input>,
  ): Command => {
    const command = parent.command(usage).description(description)
    return command.action(() =>
      run(async (context) => choose(await load())(context, inputOf(command) as Input)),
    )
  }

const inputOf = (command: Command): object => ({
  ...definedFields(
    Object.fromEntries(
      command.registeredArguments.map((argument, i) => [argument.name(), command.processedArgs[i]]),
    ),
  ),
  ...command.opts(),
})
