import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { budgets } from '../budgets.ts'
import { makeDirectory, replaceFile } from '../durable-files.ts'
import { FinalFailure } from '../job-workers.ts'
import { createLatest } from '../latest.ts'
import { StartError } from '../operator-error.ts'

/** The mail server permanently refused this email. */
export class MailRefused extends FinalFailure {
  override name = 'MailRefused'
  constructor(
    /** The response of the mail server. */
    readonly reply: string,
    options: { cause: unknown },
  ) {
    super('The mail server refused the email', options)
  }
}

interface OutgoingMail {
  message: SendMailOptions & { messageId: string }
  /** One address. */
  to: string
  /** The part of an outbox email that is printed for the operator. */
  shown: string
}

export interface MailTransport {
  /** @throws MailRefused for a permanent failure. */
  deliver(mail: OutgoingMail): Promise<void>
  /**
   * Whether it delivers to addresses with other characters than ASCII before the @ (SMTPUTF8, RFC 6531); true
   * while the mail server cannot be asked.
   */
  takesUtf8(): Promise<boolean>
  /** Closes the connections when the emails in transit are sent. */
  retire(): void
  /** Closes the connections; an email in transit fails. */
  close(): void
}

interface MailSettings {
  /** If undefined, emails are written to the outbox. */
  smtpUrl: string | undefined
  outboxDir: string
  /** The longest delivery of an email by SMTP; its budget by default. */
  deliveryMs?: number
  /** Prints an outbox email for the operator. Its links are secret, so it does not go to the log. */
  notice(text: string): void
}

/** Opens SMTP if it is configured, otherwise an outbox of `.eml` files. */
export const openMailTransport = (settings: MailSettings): MailTransport =>
  settings.smtpUrl ? bySmtp(settings.smtpUrl, settings.deliveryMs) : toOutbox(settings)

/** Sends by the current mail server. An email continues with the one that it began with. */
export const createLiveMailTransport = (
  readUrl: () => string | undefined,
  settings: Omit<MailSettings, 'smtpUrl'>,
): Omit<MailTransport, 'retire'> => {
  const latest = createLatest(
    readUrl,
    (smtpUrl) => openMailTransport({ ...settings, smtpUrl }),
    (replaced) => replaced.retire(),
  )
  return {
    deliver: (mail) => latest().deliver(mail),
    takesUtf8: () => latest().takesUtf8(),
    close: () => latest().close(),
  }
}

/** Passes the recipient as an object, which nodemailer does not parse into several addresses. */
const envelope = ({ to, message }: OutgoingMail): SendMailOptions => ({
  ...message,
  subject: asText(message.subject),
  to: { name: '', address: to },
})

/** The longest encoded word is 75 characters with its frame (RFC 2047, section 2). */
const WORD_LENGTH = 52

/** nodemailer sends an encoded word of a text as it is, so that the recipient would read what it decodes to. */
const asText = (subject: string | undefined): string | undefined =>
  subject?.includes('=?') ? encodeWord(subject, 'B', WORD_LENGTH) : subject

/** The types lack `signal`. */
type Abortable = SendMailOptions & { signal: AbortSignal }

const TIMEOUTS = {
  connectionTimeout: budgets.smtpSilence.ms,
  greetingTimeout: budgets.smtpSilence.ms,
  socketTimeout: budgets.smtpSilence.ms,
}

/**
 * Connections are reused. The pool detects a connection that the mail server has closed before it sends
 * the next email, and opens another.
 */
const POOL = {
  pool: true as const,
  /** The concurrency of the jobs that send: one email of the server and two of users. */
  maxConnections: 3,
  maxMessages: 100,
  /** Long enough between the emails of a batch, and shorter than the timeout of mail servers. */
  idleTimeout: 5_000,
  ...TIMEOUTS,
}

/** Loaded with the first email. */
const loadMailer = () => import('nodemailer')

const openPool = async (url: string) => {
  const { createTransport } = await loadMailer()
  return createTransport({ ...POOL, url })
}

/** The types lack the extensions that the server named in its greeting. */
type Greeted = SMTPConnection & { _supportedExtensions: string[] }

const takesUtf8At = async (url: string): Promise<boolean> => {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const { parseConnectionUrl } = await import('nodemailer/lib/shared')
  const connection = new Connection({ ...parseConnectionUrl(url), ...TIMEOUTS }) as Greeted
  const greeted = Promise.withResolvers<boolean>()
  connection.once('error', greeted.reject)
  connection.connect(() => greeted.resolve(connection._supportedExtensions.includes('SMTPUTF8')))
  return greeted.promise.finally(() => connection.close())
}

const bySmtp = (url: string, deliveryMs = budgets.smtpDelivery.ms): MailTransport => {
  let pool: ReturnType<typeof openPool> | undefined
  let utf8: Promise<boolean> | undefined
  return {
    async deliver(mail) {
      pool ??= openPool(url)
      const transport = await pool
      // A mail server that sends a byte now and then keeps a connection for any time. The abort closes
      // this connection only, because an email that is cut off after its last byte is sent twice.
      const options: Abortable = { ...envelope(mail), signal: AbortSignal.timeout(deliveryMs) }
      await transport.sendMail(options).catch((cause) => {
        throw isRefusal(cause) ? new MailRefused(cause.response ?? '', { cause }) : cause
      })
    },
    takesUtf8() {
      utf8 ??= takesUtf8At(url).catch(() => {
        utf8 = undefined
        return true
      })
      return utf8
    },
    retire() {
      void pool?.then((transport) => transport.close())
    },
    close() {
      void pool?.then((transport) => {
        // The types lack `force`. Without it, close waits for emails in transit without a limit.
        const close: (how: { force: boolean }) => void = transport.close.bind(transport)
        close({ force: true })
      })
      pool = undefined
    },
  }
}

/**
 * A 5xx reply to the recipient or the message is permanent (RFC 5321, section 4.2.1). A 5xx reply to the
 * sender or the login is a configuration error.
 */
const isRefusal = ({ responseCode, command }: { responseCode?: number; command?: string }) =>
  responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command ?? '')

const toOutbox = ({ outboxDir, notice }: MailSettings): MailTransport => {
  makeOutbox(outboxDir)
  return {
    async deliver(mail) {
      const { createTransport } = await loadMailer()
      const transport = createTransport({ streamTransport: true, buffer: true })
      const { message } = await transport.sendMail(envelope(mail))
      // Named after the message ID, so that a retry replaces the file.
      const path = join(outboxDir, `${/<([^<@]+)@/.exec(mail.message.messageId)?.[1]}.eml`)
      await replaceFile(path, message as Buffer, `${path}.part`)
      notice(`Mail to ${mail.to} (${path})${mail.shown}\n`)
    },
    takesUtf8: async () => true,
    retire() {},
    close() {},
  }
}

const makeOutbox = (directory: string): void => {
  try {
    makeDirectory(directory)
  } catch (cause) {
    throw new StartError(
      `SVC_DATA_DIR: cannot keep mail in ${directory} (${(cause as Error).message}); or set SVC_SMTP_URL`,
      { cause },
    )
  }
}
