import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Db } from '../db/database.ts'
import type { JobKind, Jobs } from '../jobs.ts'

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
}

export interface MailSettings {
  /** Without it, mails are written to the outbox. */
  smtpUrl: string | undefined
  from: string
  outboxDir: string
  /** Tells the operator of a mail in the outbox, with its text: the links in it are secret, so not in the log. */
  notice(text: string): void
}

const RETRIES = 10

/** Mail as durable jobs: sent by SMTP, or written as `.eml` files where none is configured. */
export const startMailer = async (jobs: Jobs, settings: MailSettings): Promise<Mailer> => {
  const deliver = settings.smtpUrl ? bySmtp(settings.smtpUrl) : toOutbox(settings)
  const kind: JobKind<Mail & { messageId: string }> = {
    name: 'mail',
    retries: RETRIES,
    run: (mail) => deliver({ ...mail, from: settings.from }),
  }
  await jobs.work(kind)
  const domain = /@([^\s>]+)/.exec(settings.from)?.[1] ?? 'localhost'
  return {
    // The id is made once for all tries, so that a mail that arrives twice can be told.
    send: (mail, tx) =>
      jobs.send(kind, { ...mail, messageId: `<${crypto.randomUUID()}@${domain}>` }, tx),
  }
}

type Deliver = (mail: Mail & { messageId: string; from: string }) => Promise<void>

const bySmtp = (url: string): Deliver => {
  const transport = createTransport(url)
  return async ({ to, ...mail }) => {
    await transport.sendMail({ ...mail, to: { name: '', address: to } })
  }
}

const toOutbox = ({ outboxDir, notice }: MailSettings): Deliver => {
  mkdirSync(outboxDir, { recursive: true, mode: 0o700 })
  const transport = createTransport({ streamTransport: true, buffer: true })
  return async ({ to, ...mail }) => {
    const { message } = await transport.sendMail({ ...mail, to: { name: '', address: to } })
    const path = join(outboxDir, `${Bun.randomUUIDv7()}.eml`)
    await Bun.write(path, message as Buffer, { mode: 0o600 })
    notice(`Mail to ${to} (${path}):\n\n${mail.text}\n`)
  }
}
