import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import type { Io } from '../output.ts'
import { accountCommands } from './account.ts'
import { keyCommands } from './keys.ts'
import { memoryCommands } from './memory.ts'
import type { Run } from './run.ts'
import { transferCommands } from './transfer.ts'

/** All that can be typed. It throws where commander would end the process. */
export const createProgram = (io: Io, run: Run): Command => {
  const program = new Command('svc')
    .description('An account, a memory and a conversation for people and AI agents.')
    .version(manifest.version, '--version', 'print the version')
    .option('--url <url>', 'the server (SVC_URL; http://localhost:3000)')
    .option('--profile <name>', 'the stored sign-in to use (SVC_PROFILE; default)')
    .option('--json', 'print one JSON value')
    .option('--debug', 'show requests and stack traces on stderr')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      // The message and the suggestion share a line, and the next command has the other.
      outputError: (text) => io.say(text.trimEnd().replace(/\n(?=\()/, ' ')),
    })
    .exitOverride()
  accountCommands(program, run)
  keyCommands(program, run)
  memoryCommands(program, run)
  transferCommands(program, run)
  nameHelp(program, 'svc')
  return program
}

/** Has every usage error name the help of its command. */
const nameHelp = (command: Command, path: string): void => {
  command.showHelpAfterError(`Run: ${path} --help`)
  for (const child of command.commands) nameHelp(child, `${path} ${child.name()}`)
}
