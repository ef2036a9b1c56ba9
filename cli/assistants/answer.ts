import type { HookEvent } from './capture.ts'
import { type Assistant, type AssistantName, assistants } from './clients.ts'

/** Whether the output of an event can add context for the model. */
export const takesContext = (client: AssistantName, kind: HookEvent['kind']): boolean => {
  const { contextEvents }: Assistant = assistants[client]
  return contextEvents.some((each) => each === kind)
}

/**
 * The output for an event, in the form that the documentation of the assistant states.
 * @param context the text for the model; empty for none.
 * @returns an empty text for no output.
 */
export const formatAnswer = (
  client: AssistantName,
  { kind, name }: HookEvent,
  context: string,
): string => {
  const answer = answerOf(client, kind, name, context)
  return answer ? `${JSON.stringify(answer)}\n` : ''
}

const answerOf = (
  client: AssistantName,
  kind: HookEvent['kind'],
  name: string,
  context: string,
): object | undefined => {
  // It expects an answer to a prompt, which has no field for context.
  if (client === 'cursor' && kind === 'prompt') return { continue: true }
  if (context === '' || !takesContext(client, kind)) return undefined
  if (client === 'cursor') return { additional_context: context }
  return { hookSpecificOutput: { hookEventName: name, additionalContext: context } }
}
