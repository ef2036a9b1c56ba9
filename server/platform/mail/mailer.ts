import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
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

export interface Mailer {
  /** Queues a mail; within a transaction of the caller's when `tx` is one. */
  send(mail: Mail, tx?: Db): Promise<void>
  /** Takes back the mails that still wait for an address that is gone. */
  forget(address: string, tx: Db): Promise<void>
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
type Deliver = (mail: Queued & { from: string }) => Promise<void>

/** Mail as durable jobs: sent by SMTP, or written as `.eml` files where none is configured. */
export const startMailer = async (jobs: Jobs, settings: MailSettings): Promise<Mailer> => {
  const deliver = settings.smtpUrl ? bySmtp(settings.smtpUrl) : toOutbox(settings)
  const kind: JobKind<Queued> = {
    name: 'mail',
    retries: RETRIES,
    run: (mail) => deliver({ ...mail, from: settings.from }),
  }
  await jobs.work(kind)
  const domain = /@([^\s>]+)/.exec(settings.from)?.[1] ?? 'localhost'
  return {
    async send(mail, tx) {
      if (!isEmail(mail.to, { ignore_max_length: true })) throw new Error('not an email address')
      // The id is made once for all tries, so that a mail that arrives twice can be told.
      await jobs.send(kind, { ...mail, messageId: `<${Bun.randomUUIDv7()}@${domain}>` }, { tx })
    },
    forget: (address, tx) => jobs.forget(kind, { to: address }, tx),
  }
}

/** One message for one address: nothing in the address can name a second one. */
const envelope = ({ to, ...mail }: Queued & { from: string }) => ({
  ...mail,
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
      throw isRefusal(cause) ? new FinalFailure('the mail was refused for good', { cause }) : cause
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
    const path = join(outboxDir, `${/<([^@]+)@/.exec(mail.messageId)?.[1]}.eml`)
    await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
    await rename(`${path}.part`, path)
    notice(`Mail to ${mail.to} (${path}):\n\n${mail.text}\n`)
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
