import type { ActionOf } from '../../../shared/contract/reflex-actions.ts'
import type { TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import { renderTemplate } from '../conditions/template.ts'
import type { ActionHandler, Channel } from '../firings/firing.ts'

type Notify = ActionOf<'notify'>

const MAX_TITLE_CHARS = 200

/** Sends the owner a notification through a channel. */
export const createNotifyAction = (
  channels: Readonly<Record<Notify['channel'], Channel>>,
): ActionHandler<'notify'> => ({
  name: 'notify',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/actions/notify',
  preview: ({ text }, event) => renderText(text, event),
  async runWithin(tx, { action, ...context }) {
    const { event } = context.firing
    const title = action.title ? renderTemplate(action.title, event).trim() : ''
    await channels[action.channel].send(tx, context, {
      title: (title || context.reflex.name).slice(0, MAX_TITLE_CHARS).toWellFormed(),
      text: renderText(action.text, event),
    })
  },
})

/** A template whose placeholders are all empty renders to an ellipsis: a notification needs a text. */
const renderText = (text: string, event: TriggerEvent): string =>
  renderTemplate(text, event).trim() || '…'
