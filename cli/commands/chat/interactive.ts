import { dirname, join } from 'node:path'
import { showAnswer, summarizeAnswer } from '../../answer.ts'
import { toCliError } from '../../api-errors.ts'
import { isDepth, providers, warnOfProvider } from '../../chat-options.ts'
import type { Context } from '../../context.ts'
import { CliError, formatError, Interrupted } from '../../errors.ts'
import { nearestWord } from '../../nearest.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../../private-file.ts'
import { openLineEditor } from './line-editor.ts'
import { type ChatInput, startChat } from './request.ts'

const HELP = `/new           start a new session
/session       show the current session
/provider NAME change the provider: ${providers.join(', ')}
/depth NAME    change how much is recalled: quick, deep, sage
/help          show this help
/exit          end the chat, as Ctrl-D does
End a line with \\ to continue it on the next one. Ctrl-C stops an answer.`

const COMMANDS = ['/new', '/session', '/provider ', '/depth ', '/help', '/exit']

/** Runs a chat at the terminal until the user ends it. */
export const runInteractiveChat = async (context: Context, initial: ChatInput): Promise<void> => {
  const { io } = context
  const history = openHistory(context.environment.configDir)
  using prompt = openLineEditor(io.runtime, {
    history: history.newestFirst(),
    words: COMMANDS,
    escapes: context.environment.escapes,
  })
  let input = initial
  let wasInterrupted = false
  io.info('Type a message. /help lists the commands. Ctrl-D ends the chat.')
  try {
    while (true) {
      const line = await prompt.readMessage()
      if (line.kind === 'end') break
      if (line.kind === 'interrupt') {
        if (wasInterrupted) throw new Interrupted()
        wasInterrupted = true
        io.message('Press Ctrl-C again to exit.')
        continue
      }
      wasInterrupted = false
      const message = line.text.trim()
      if (!message) continue
      history.add(message)
      if (message === '/exit' || message === '/quit') break
      input = message.startsWith('/')
        ? runSlashCommand(context, input, message)
        : await sendMessage(context, input, message)
    }
  } finally {
    if (input.session_id) io.info(`\nContinue with: svc chat --session ${input.session_id}`)
  }
}

const runSlashCommand = ({ io }: Context, input: ChatInput, typed: string): ChatInput => {
  const [name = '', value] = typed.split(/\s+/)
  const { session_id, ...rest } = input
  if (name === '/new') {
    io.message('The next message starts a new session.')
    return rest
  }
  if (name === '/provider' && value) {
    io.message(`Provider changed to ${value}, if the server has it configured.`)
    return { ...input, provider: value }
  }
  if (name === '/depth' && value && isDepth(value)) {
    io.message(`Depth changed to ${value}.`)
    return { ...input, depth: value }
  }
  if (name === '/session') io.message(session_id ?? 'The next message starts a session.')
  else io.message(name === '/help' ? HELP : `${describeMistake(name, value)}\n${HELP}`)
  return input
}

const describeMistake = (name: string, value: string | undefined): string => {
  const words = COMMANDS.map((each) => each.trim())
  if (name === '/depth' && value) return `Unknown depth: ${value}.`
  if (words.includes(name)) return `${name} needs a name.`
  const near = nearestWord(name, words)
  return `Unknown command: ${name}.${near ? ` Did you mean ${near}?` : ''}`
}

/** Prints failures instead of throwing. @returns the input for the next message. */
const sendMessage = async (
  context: Context,
  input: ChatInput,
  message: string,
): Promise<ChatInput> => {
  const { io } = context
  let next = input
  try {
    const answer = await showAnswer(
      context,
      startChat(context, { ...input, message }, (session_id) => {
        const { file_ids: _, ...rest } = input
        next = { ...rest, session_id }
      }),
    )
    warnOfProvider(context, input.provider, answer.start?.provider)
    io.info(summarizeAnswer(answer))
  } catch (error) {
    const explained = toCliError(error, context)
    if (explained instanceof Interrupted) io.message('Stopped.')
    else io.message(formatError(explained))
  }
  return next
}

/** Maximum number of stored lines. */
const MAX_LINES = 1_000

/** The input history of `svc chat`, for the arrow keys. */
const openHistory = (dir: string) => {
  const path = join(dir, 'chat_history')
  const read = (): string[] => (readPrivateFile(path) ?? '').split('\n').filter(Boolean)
  /** File errors are ignored: they must not end the chat. */
  const ignoringErrors = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof CliError) return otherwise
      throw error
    }
  }
  return {
    /** In the order of readline. */
    newestFirst: (): string[] => ignoringErrors(() => read().reverse(), []),
    /** Adds a message as one line. */
    add(message: string): void {
      const line = oneLine(message)
      ignoringErrors(() => {
        const lines = read()
        if (!line || lines.at(-1) === line) return
        makePrivateDirectory(dirname(path))
        replacePrivateFile(path, `${[...lines, line].slice(-MAX_LINES).join('\n')}\n`)
      }, undefined)
    },
  }
}

const oneLine = (message: string): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
