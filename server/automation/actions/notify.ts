import type { ActionOf, TriggerEvent } from '../../../shared/schemas/reflexes.ts'
import type { Channel } from '../channels/channel.ts'
import { fillIn } from '../conditions/template.ts'
import type { ActionHandler } from './action.ts'

type Notify = ActionOf<'notify'>

const MAX_TITLE_CHARS = 200

/** Tells the person something. */
export const createNotify = (
  channels: Readonly<Record<Notify['channel'], Channel>>,
): ActionHandler<'notify'> => ({
  name: 'notify',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/actions/notify',
  preview: ({ text }, event) => textOf(text, event),
  async within(tx, { action, ...doing }) {
    const { event } = doing.firing
    const title = action.title ? fillIn(action.title, event).trim() : ''
    await channels[action.channel].tell(tx, doing, {
      title: (title || doing.reflex.name).slice(0, MAX_TITLE_CHARS).toWellFormed(),
      text: textOf(action.text, event),
    })
  },
})

/** A text of nothing but places that were empty still has to say something. */
const textOf = (text: string, event: TriggerEvent): string => fillIn(text, event).trim() || '…'
