import addressparser from 'nodemailer/lib/addressparser'
import isEmail from 'validator/lib/isEmail'
import type { Db } from '../db/database.ts'
import { html } from '../http/html.ts'
import type { JobKind, Jobs } from '../jobs.ts'
import { createLatest } from '../latest.ts'
import { isAscii } from './address.ts'
import type { MailTransport } from './transport.ts'

export interface Mail {
  /** One address. Each recipient gets a separate email. */
  to: string
  subject: string
  text: string
  html: string
}

/** An email from one user to another, as part of a conversation. */
export interface PersonalMail extends Omit<Mail, 'html'> {
  html: string | null
  /** The same for all attempts. */
  messageId: string
  /** The display name before "via svc", as in "Ada via svc". */
  sender: string
  /** The address for replies. */
  replyTo: string
  /** The Message-IDs of the conversation so far, oldest first. */
  references: string[]
}

export type Mailer = ReturnType<typeof startMailer>

/** With the backoff of jobs these take a day, the lifetime of the links in emails. */
const RETRIES = 100

type Queued = Mail & { messageId: string }

const parseSender = (from: string) => {
  const [sender = { name: '', address: from }] = addressparser(from, { flatten: true })
  return sender
}

/** Sends emails as durable jobs. @param readFrom returns the address, with an optional display name. */
export const startMailer = (
  jobs: Jobs,
  { deliver, takesUtf8 }: Pick<MailTransport, 'deliver' | 'takesUtf8'>,
  readFrom: () => string,
) => {
  const sender = createLatest(readFrom, parseSender)
  /** Generates a Message-ID, by which the recipient recognizes a duplicate. */
  const newMessageId = (): string =>
    `<${Bun.randomUUIDv7()}@${sender().address.split('@')[1] || 'localhost'}>`
  const kind: JobKind<Queued> = {
    name: 'mail',
    retries: RETRIES,
    run: ({ to, ...mail }) =>
      deliver({ to, shown: `:\n\n${mail.text}`, message: { ...mail, from: readFrom() } }),
  }
  jobs.work(kind)
  return {
    /** Queues an email, within the transaction `tx` if there is one. */
    async send(mail: Mail, tx?: Db): Promise<void> {
      // Less strict than sign-up, because an older account may have an address that sign-up refuses now.
      if (!isEmail(mail.to, { ignore_max_length: true, require_tld: false }))
        throw new Error('Invalid email address')
      await jobs.send(kind, { ...mail, messageId: newMessageId() }, { tx })
    },

    /** Deletes the queued emails for an address that was deleted. */
    forget: (address: string, tx: Db): Promise<void> => jobs.forget(kind, { to: address }, tx),

    /** Whether the mail server delivers to the address as far as its form tells. */
    canReach: async (address: string): Promise<boolean> => isAscii(address) || takesUtf8(),
    newMessageId,

    /**
     * Sends an email at once. The caller is responsible for retries.
     * @throws MailRefused for a permanent failure.
     */
    deliver: ({
      to,
      html,
      sender: name,
      replyTo,
      references,
      ...mail
    }: PersonalMail): Promise<void> =>
      deliver({
        to,
        shown: '',
        message: {
          ...mail,
          ...(html && { html }),
          // Even in quotes, some clients decode an encoded word.
          from: {
            name: `${name.replaceAll('=?', '= ?')} via ${sender().name || 'svc'}`,
            address: sender().address,
          },
          replyTo: { name: '', address: replyTo },
          references,
          ...(references.length && { inReplyTo: references.at(-1) }),
        },
      }),
  }
}

interface EmailContent {
  to: string
  subject: string
  /** Paragraphs of plain text. */
  paragraphs: string[]
  /** The link that the recipient should open. */
  link?: { label: string; url: string }
  /** Small print, such as the lifetime of the link. */
  footer?: string
}

/** Renders an email as plain text and as HTML with the same content. */
export const renderEmail = ({ to, subject, paragraphs, link, footer }: EmailContent): Mail => ({
  to,
  subject,
  text: `${[...paragraphs, link && `${link.label}:\n${link.url}`, footer].filter(Boolean).join('\n\n')}\n`,
  html: html`<!doctype html>
<html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1a1d21;background:#ffffff;overflow-wrap:anywhere">
<div style="max-width:30em">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
${
  link &&
  html`<p><a href="${link.url}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd0;color:#ffffff;text-decoration:none">${link.label}</a></p>
<p style="font-size:14px;color:#5b6470">${link.url}</p>`
}
${footer && html`<p style="font-size:14px;color:#5b6470">${footer}</p>`}
</div></body></html>`.sourceFor({ language: 'en', basePath: '' }),
})
