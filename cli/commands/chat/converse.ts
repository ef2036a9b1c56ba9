import { aboutAnswer, showAnswer } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { isDepth } from '../../depths.ts'
import { Interrupted } from '../../errors.ts'
import { explain } from '../../explain.ts'
import { nearest } from '../../nearest.ts'
import { reportOf } from '../../report.ts'
import { type Asked, ask } from './ask.ts'
import { openHistory } from './history.ts'
import { openPrompt } from './prompt.ts'

const HELP = `/new           begin another session
/session       say which session this is
/provider NAME have somebody else answer: openrouter, openai, ollama, local
/depth NAME    recall more or less: quick, deep, sage
/help          say this
/exit          end; so does Ctrl-D
A line that ends with \\ goes on in the next. Ctrl-C ends an answer.`

const COMMANDS = ['/new', '/session', '/provider ', '/depth ', '/help', '/exit']

/** Talks with a person at the terminal until they leave. */
export const converse = async (context: Context, begun: Asked): Promise<void> => {
  const { io } = context
  const history = openHistory(context.environment.configDir)
  using prompt = openPrompt(history.newestFirst(), COMMANDS, context.environment.escapes)
  let asked = begun
  let wasInterrupted = false
  io.note('Say something. /help says what else there is, Ctrl-D ends it.')
  try {
    while (true) {
      const typed = await prompt.ask()
      if (typed.kind === 'end') break
      if (typed.kind === 'interrupt') {
        if (wasInterrupted) throw new Interrupted()
        wasInterrupted = true
        io.say('Press Ctrl-C again to leave.')
        continue
      }
      wasInterrupted = false
      const message = typed.text.trim()
      if (!message) continue
      history.add(message)
      if (message === '/exit' || message === '/quit') break
      asked = message.startsWith('/')
        ? command(context, asked, message)
        : await say(context, asked, message)
    }
  } finally {
    if (asked.session_id) io.note(`\nGo on with: svc chat --session ${asked.session_id}`)
  }
}

const command = ({ io }: Context, asked: Asked, typed: string): Asked => {
  const [name = '', value] = typed.split(/\s+/)
  const { session_id, ...rest } = asked
  if (name === '/new') {
    io.say('A new session begins.')
    return rest
  }
  if (name === '/provider' && value) {
    io.say(`From now on ${value} answers, where the server has it.`)
    return { ...asked, provider: value }
  }
  if (name === '/depth' && value && isDepth(value)) {
    io.say(`From now on the depth is ${value}.`)
    return { ...asked, depth: value }
  }
  if (name === '/session') io.say(session_id ?? 'It begins with what you say.')
  else io.say(name === '/help' ? HELP : `${mistake(name, value)}\n${HELP}`)
  return asked
}

/** What is wrong with a command that could not be followed. */
const mistake = (name: string, value: string | undefined): string => {
  const words = COMMANDS.map((each) => each.trim())
  if (name === '/depth' && value) return `There is no depth ${value}.`
  if (words.includes(name)) return `${name} takes a name.`
  const near = nearest(name, words)
  return `There is no ${name}.${near ? ` Did you mean ${near}?` : ''}`
}

/** A failure is told, and the conversation goes on. @returns what the next message goes with. */
const say = async (context: Context, asked: Asked, message: string): Promise<Asked> => {
  const { io } = context
  let next = asked
  try {
    const answered = await showAnswer(
      context,
      ask(context, { ...asked, message }, (session_id) => {
        const { file_ids: _, ...rest } = asked
        next = { ...rest, session_id }
      }),
    )
    io.note(aboutAnswer(answered))
  } catch (error) {
    const explained = explain(error, context)
    if (explained instanceof Interrupted) io.say('Stopped.')
    else io.say(reportOf(explained))
  }
  return next
}
