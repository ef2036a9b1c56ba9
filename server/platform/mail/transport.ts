import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { FinalFailure } from '../jobs.ts'
import { StartError } from '../start-error.ts'

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

export interface OutgoingMail {
  message: SendMailOptions & { messageId: string }
  /** One address. */
  to: string
  /** What the operator may read of a mail in the outbox. */
  shown: string
}

export interface MailTransport {
  /** @throws MailRefused when trying again would not help. */
  deliver(mail: OutgoingMail): Promise<void>
  /** Lets go of the mail server; a mail that is still on its way fails. */
  close(): void
}

export interface MailSettings {
  /** Without it, mails are written to the outbox. */
  smtpUrl: string | undefined
  outboxDir: string
  /** Tells the operator of a mail in the outbox, with its text: the links in it are secret, so not in the log. */
  notice(text: string): void
}

/** Opens what mails leave by: SMTP, or `.eml` files where none is configured. */
export const openMailTransport = (settings: MailSettings): MailTransport =>
  settings.smtpUrl ? bySmtp(settings.smtpUrl) : toOutbox(settings)

/** One message for one address: nothing in the address can name a second one. */
const envelope = ({ to, message }: OutgoingMail): SendMailOptions => ({
  ...message,
  to: { name: '', address: to },
})

const TIMEOUT_MS = 30_000

/**
 * Connections are kept for the mails that follow. One that the mail server has closed meanwhile is found
 * out before anything of the next mail is sent, which then goes by another.
 */
const POOL = {
  pool: true as const,
  /** As many as are on their way at once: one mail of the server's own, and two of people. */
  maxConnections: 3,
  maxMessages: 100,
  /** Long enough for the next of many, and shorter than any mail server waits. */
  idleTimeout: 5_000,
  connectionTimeout: TIMEOUT_MS,
  greetingTimeout: TIMEOUT_MS,
  socketTimeout: TIMEOUT_MS,
}

const bySmtp = (url: string): MailTransport => {
  const transport = createTransport({ ...POOL, url })
  // Its types are of a version that would wait for mails on their way, however long.
  const pool = transport as unknown as { close(how: { force: boolean }): void }
  return {
    async deliver(mail) {
      await transport.sendMail(envelope(mail)).catch((cause) => {
        throw isRefusal(cause) ? new MailRefused(cause.response ?? '', { cause }) : cause
      })
    },
    close: () => pool.close({ force: true }),
  }
}

/** A reply of 5xx to the recipient or the message stands (RFC 5321, section 4.2.1); to the sender or a login it is ours to mend. */
const isRefusal = ({ responseCode, command }: { responseCode?: number; command?: string }) =>
  responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command ?? '')

const toOutbox = ({ outboxDir, notice }: MailSettings): MailTransport => {
  makeOutbox(outboxDir)
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async deliver(mail) {
      const { message } = await transport.sendMail(envelope(mail))
      // Named by the mail, so that one written twice is still one.
      const path = join(outboxDir, `${/<([^@]+)@/.exec(mail.message.messageId)?.[1]}.eml`)
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
      notice(`Mail to ${mail.to} (${path})${mail.shown}\n`)
    },
    close() {},
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
