import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import isEmail from 'validator/lib/isEmail'
import type { Db } from '../db/database.ts'
import { FinalFailure, type JobKind, type Jobs } from '../jobs.ts'
import { StartError } from '../start-error.ts'

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

/** The mail server will never take this mail. */
export class MailRefused extends FinalFailure {
  override name = 'MailRefused'
  constructor(
    /** What the mail server said. */
    readonly reply: string,
    options: { cause: unknown },
  ) {
    super('the mail was refused for good', options)
  }
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

export interface MailSettings {
  /** Without it, mails are written to the outbox. */
  smtpUrl: string | undefined
  from: string
  outboxDir: string
  /** Tells the operator of a mail in the outbox, with its text: the links in it are secret, so not in the log. */
  notice(text: string): void
}

/** Waiting ever longer up to 15 minutes, this many tries take a day: as long as the links in mails live. */
const RETRIES = 100
const TIMEOUT_MS = 30_000

type Queued = Mail & { messageId: string }

interface Outgoing {
  message: SendMailOptions & { messageId: string }
  to: string
  /** What the operator may read of a mail in the outbox. */
  shown: string
}
type Deliver = (mail: Outgoing) => Promise<void>

/** Mail as durable jobs: sent by SMTP, or written as `.eml` files where none is configured. */
export const startMailer = async (jobs: Jobs, settings: MailSettings): Promise<Mailer> => {
  const deliver = settings.smtpUrl ? bySmtp(settings.smtpUrl) : toOutbox(settings)
  const [own = { name: '', address: settings.from }] = addressparser(settings.from, {
    flatten: true,
  })
  const domain = own.address.split('@')[1] || 'localhost'
  const newMessageId = () => `<${Bun.randomUUIDv7()}@${domain}>`
  const kind: JobKind<Queued> = {
    name: 'mail',
    retries: RETRIES,
    run: ({ to, ...mail }) =>
      deliver({ to, shown: `:\n\n${mail.text}`, message: { ...mail, from: settings.from } }),
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

/** One message for one address: nothing in the address can name a second one. */
const envelope = ({ to, message }: Outgoing): SendMailOptions => ({
  ...message,
  to: { name: '', address: to },
})

const bySmtp = (url: string): Deliver => {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return async (mail) => {
    await transport.sendMail(envelope(mail)).catch((cause) => {
      throw isRefusal(cause) ? new MailRefused(cause.response ?? '', { cause }) : cause
    })
  }
}

/** A reply of 5xx to the recipient or the message stands (RFC 5321, section 4.2.1); to the sender or a login it is ours to mend. */
const isRefusal = ({ responseCode, command }: { responseCode?: number; command?: string }) =>
  responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command ?? '')

const toOutbox = ({ outboxDir, notice }: MailSettings): Deliver => {
  makeOutbox(outboxDir)
  const transport = createTransport({ streamTransport: true, buffer: true })
  return async (mail) => {
    const { message } = await transport.sendMail(envelope(mail))
    // Named by the mail, so that one written twice is still one.
    const path = join(outboxDir, `${/<([^@]+)@/.exec(mail.message.messageId)?.[1]}.eml`)
    await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
    await rename(`${path}.part`, path)
    notice(`Mail to ${mail.to} (${path})${mail.shown}\n`)
  }
}

const makeOutbox = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError(
      `SVC_DATA_DIR: cannot keep mail in ${directory} (${(cause as Error).message}); or set SVC_SMTP_URL`,
      { cause },
    )
  }
}
