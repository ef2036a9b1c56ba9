import type { Command, CommandOptions, OptionValues } from 'commander'
import type { CliEnvironment } from '../config.ts'
import type { Context, GlobalOptions } from '../context.ts'
import { definedFields } from '../defined.ts'
import type { Io } from '../output.ts'

/** The input of a command that needs no context. */
export interface Invocation {
  io: Io
  environment: CliEnvironment
  options: GlobalOptions
}

/** Runs a command with what it needs. */
type Run<Needs> = (command: (needs: Needs) => Promise<void>) => Promise<void>

/** Runs a command with a context: the client, the credentials and the settings. */
export type RunWithContext = Run<Context>

/** Runs a command without a context, so that it works with damaged files too. */
export type RunWithoutContext = Run<Invocation>

/**
 * Returns a function that declares subcommands. Their module is loaded when one of them runs, which keeps the
 * start fast. The handler gets the arguments and options as one object.
 */
export const defineCommands =
  <Module, Needs>(parent: Command, run: Run<Needs>, load: () => Promise<Module>) =>
  <Input extends OptionValues>(
    usage: string,
    description: string,
    choose: (module: Module) => (needs: Needs, input: Input) => Promise<void>,
    settings: CommandOptions = {},
  ): Command => {
    const command = parent.command(usage, settings).description(description)
    return command.action(() =>
      run(async (needs) => {
        const input: Input = { ...argumentsOf(command), ...command.opts<Input>() }
        await choose(await load())(needs, input)
      }),
    )
  }

const argumentsOf = (command: Command) =>
  definedFields(
    Object.fromEntries(
      command.registeredArguments.map((argument, i) => [argument.name(), command.processedArgs[i]]),
    ),
  )
