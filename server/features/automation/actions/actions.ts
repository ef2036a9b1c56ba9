import { MAX_TEXT_LENGTH } from '../../../../shared/contract/common.ts'
import { TRUST_LEVELS, type Trust } from '../../../../shared/contract/memories.ts'
import type { ActionOf } from '../../../../shared/contract/reflex-actions.ts'
import type { TriggerEvent } from '../../../../shared/contract/reflex-triggers.ts'
import type { MemoryService } from '../../../memory/memories/service.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Gates } from '../../../usage/gates.ts'
import type { WebhookChannel } from '../channels/webhook.ts'
import { renderTemplate } from '../conditions/template.ts'
import {
  type ActionHandler,
  type Channel,
  FiringFailure,
  REFLEX_SOURCE,
  type ReflexOwner,
} from '../firings/firing.ts'

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

/**
 * The trust of what a reflex writes about an event: an event of the user's own is theirs, because they
 * wrote the reflex; a signal of a device and a direct message come from others.
 */
const trustOf = ({ type, source, trust }: TriggerEvent): Trust => {
  if (type === 'schedule') return 'user'
  if (type === 'memory') return TRUST_LEVELS.find((level) => level === trust) ?? 'user'
  if (type === 'message' && source !== 'dm') return source === 'chat' ? 'user' : 'assistant'
  return 'external'
}

/** Writes a memory of the owner. */
export const createRememberAction = (
  memories: Pick<MemoryService, 'rememberWithin'>,
): ActionHandler<'remember'> => ({
  name: 'remember',
  version: '1.0.0',
  category: 'memory',
  ref: 'automation/actions/remember',
  preview: ({ content }, event) => `Remember: ${renderTemplate(content, event).trim()}`,
  async runWithin(tx, { action, owner: { userId }, reflex, firing }) {
    const rendered = renderTemplate(action.content, firing.event)
    const content = rendered.trim().slice(0, MAX_TEXT_LENGTH).toWellFormed()
    if (!content) throw new FiringFailure('The content to remember is empty', { isFinal: true })
    await memories.rememberWithin(
      tx,
      { userId, ownerId: userId, keyId: null, sessionId: null },
      {
        content,
        memory_type: action.memory_type,
        tags: action.tags,
        metadata: { reflex_id: reflex.reflexId },
      },
      { kind: REFLEX_SOURCE, ref: firing.firingId, trust: trustOf(firing.event) },
    )
  },
})

/** Posts the event to a server of the owner. */
export const createWebhookAction = (
  channel: WebhookChannel,
  cipher: Pick<Cipher, 'open'>,
  gates: Pick<Gates, 'requireFeature'>,
): ActionHandler<'webhook'> => ({
  name: 'webhook',
  version: '1.0.0',
  category: 'server',
  ref: 'automation/actions/webhook',
  feature: 'webhooks',
  preview: ({ url }) => `Post the event to ${new URL(url).host}`,
  async problemsOf({ url }) {
    const msg = await channel.problemOf(url)
    return msg ? [{ loc: ['body', 'action', 'url'], type: 'value_error', msg }] : []
  },
  async runOutside({ action, owner, reflex, firing }) {
    checkTier(gates, owner)
    const secret = reflex.sealedSecret && cipher.open(reflex.sealedSecret, owner.userId)
    if (!secret)
      throw new FiringFailure('The secret of the webhook cannot be read; renew it', {
        isFinal: true,
      })
    await channel.post({
      url: action.url,
      id: firing.firingId,
      secret,
      payload: {
        type: 'reflex.fired',
        timestamp: firing.createdAt.toISOString(),
        data: {
          reflex_id: reflex.reflexId,
          reflex_name: reflex.name,
          firing_id: firing.firingId,
          event: firing.event,
        },
      },
    })
  },
})

/** The tier may have changed since the reflex was created. */
const checkTier = (gates: Pick<Gates, 'requireFeature'>, owner: ReflexOwner): void => {
  try {
    gates.requireFeature({ me: owner }, 'webhooks')
  } catch (cause) {
    throw new FiringFailure('Your tier no longer includes webhooks', { isFinal: true }, { cause })
  }
}
