import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, withDefault } from './common.ts'
import { MemoryType } from './memories.ts'

const template = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    description: `${description} \`{{path}}\` is replaced by the value at that path of the event.`,
    examples: ['It is {{value.temperature}} degrees in the greenhouse.'],
  })

const NOTIFY_CHANNELS = ['inbox', 'chat', 'email'] as const

const NotifyAction = Type.Object(
  {
    type: Type.Literal('notify'),
    channel: OneOf(NOTIFY_CHANNELS, {
      description:
        '`inbox`: a topic of the proactive list; `chat`: a chat session; `email`: an email to the user.',
    }),
    title: Type.Optional(Nullable(template(200, 'The subject. Default: the name of the reflex.'))),
    text: template(4_000, 'The text of the notification.'),
  },
  { description: 'Notifies the user.' },
)

const RememberAction = Type.Object(
  {
    type: Type.Literal('remember'),
    content: template(4_000, 'The text of the memory.'),
    memory_type: withDefault(MemoryType, 'episodic'),
    tags: withDefault(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }),
      [],
    ),
  },
  { description: 'Stores a memory of the user.' },
)

const WebhookAction = Type.Object(
  {
    type: Type.Literal('webhook'),
    channel: withDefault(Type.Literal('webhook'), 'webhook'),
    url: Type.String({
      trim: true,
      minLength: 1,
      maxLength: 2_000,
      description: 'A public URL.',
      examples: ['https://hooks.example.com/svc'],
    }),
  },
  { description: 'Posts the event to a URL, signed (Standard Webhooks).' },
)

const actionSchemas = {
  notify: NotifyAction,
  remember: RememberAction,
  webhook: WebhookAction,
} as const
export type ActionType = keyof typeof actionSchemas

/** Discriminated by `type`. */
export const Action = Type.Union([NotifyAction, RememberAction, WebhookAction])
export type Action = Static<typeof Action>
export type ActionOf<T extends ActionType> = Static<(typeof actionSchemas)[T]>
