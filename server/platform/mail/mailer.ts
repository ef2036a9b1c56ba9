import addressparser from 'nodemailer/lib/addressparser'
import isEmail from 'validator/lib/isEmail'
import type { Db } from '../db/database.ts'
import type { JobKind, Jobs } from '../jobs.ts'
import type { MailTransport } from './transport.ts'

export interface Mail {
  /** One address: everybody gets a mail of their own. */
  to: string
  subject: string
  text: string
  html: string
}

/** A mail that somebody sends to somebody else, in a conversation of theirs. */
export interface PersonalMail extends Omit<Mail, 'html'> {
  html: string | null
  /** Made once for all tries. */
  messageId: string
  /** Named as the one it comes from, beside the server: "Ada via svc". */
  sender: string
  /** Where an answer goes. */
  replyTo: string
  /** The Message-IDs of the conversation so far, oldest first. */
  references: string[]
}

export interface Mailer {
  /** Queues a mail; within a transaction of the caller's when `tx` is one. */
  send(mail: Mail, tx?: Db): Promise<void>
  /** Takes back the mails that still wait for an address that is gone. */
  forget(address: string, tx: Db): Promise<void>
  /** A new Message-ID: a mail that arrives twice can be told by it. */
  newMessageId(): string
  /**
   * Sends a mail now; whoever calls queues it and tries again.
   * @throws MailRefused when trying again would not help.
   */
  deliver(mail: PersonalMail): Promise<void>
}

/** Waiting ever longer up to 15 minutes, this many tries take a day: as long as the links in mails live. */
const RETRIES = 100

type Queued = Mail & { messageId: string }

/** Mail as durable jobs, from an address and the name before it. */
export const startMailer = async (
  jobs: Jobs,
  { deliver }: Pick<MailTransport, 'deliver'>,
  from: string,
): Promise<Mailer> => {
  const [own = { name: '', address: from }] = addressparser(from, { flatten: true })
  const domain = own.address.split('@')[1] || 'localhost'
  const newMessageId = () => `<${Bun.randomUUIDv7()}@${domain}>`
  const kind: JobKind<Queued> = {
    name: 'mail',
    retries: RETRIES,
    run: ({ to, ...mail }) =>
      deliver({ to, shown: `:\n\n${mail.text}`, message: { ...mail, from } }),
  }
  await jobs.work(kind)
  return {
    async send(mail, tx) {
      if (!isEmail(mail.to, { ignore_max_length: true })) throw new Error('not an email address')
      await jobs.send(kind, { ...mail, messageId: newMessageId() }, { tx })
    },
    forget: (address, tx) => jobs.forget(kind, { to: address }, tx),
    newMessageId,
    deliver: ({ to, html, sender, replyTo, references, ...mail }) =>
      deliver({
        to,
        shown: '',
        message: {
          ...mail,
          ...(html && { html }),
          from: { name: `${sender} via ${own.name || 'svc'}`, address: own.address },
          replyTo: { name: '', address: replyTo },
          references,
          ...(references.length && { inReplyTo: references.at(-1) }),
        },
      }),
  }
}
