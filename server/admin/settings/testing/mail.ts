import type { SettingTest } from '../../../../shared/contract/server-settings.ts'
import { budgets } from '../../../platform/budgets.ts'
import { openMailTransport } from '../../../platform/mail/transport.ts'

export interface MailConfig {
  smtpUrl: string | undefined
  mailFrom: string
}

interface MailTest {
  to: string
  baseUrl: string
  signal: AbortSignal
}

/** Sends an email by the mail server. */
export const testMail = async (
  { smtpUrl, mailFrom }: MailConfig,
  { to, baseUrl, signal }: MailTest,
): Promise<SettingTest[]> => {
  if (!smtpUrl)
    return [
      { target: 'mail', ok: false, message: 'No mail server is set: emails are written to files.' },
    ]
  const target = new URL(smtpUrl).host
  const transport = openMailTransport({
    smtpUrl,
    outboxDir: '',
    deliveryMs: budgets.settingTest.ms,
    notice: () => {},
  })
  try {
    await transport.deliver({
      to,
      shown: '',
      message: {
        from: mailFrom,
        subject: 'Test of the mail server of svc',
        text: `This email shows that ${baseUrl} can send email.\n`,
        messageId: `<${Bun.randomUUIDv7()}@${new URL(baseUrl).hostname}>`,
      },
    })
    return [{ target, ok: true, message: `The mail server accepted an email to ${to}.` }]
  } catch (error) {
    return [{ target, ok: false, message: reasonOf(error, signal) }]
  } finally {
    transport.close()
  }
}

/** By the codes of nodemailer. Replies of mail servers may repeat a user name, so they are left out. */
const REASONS: Record<string, string> = {
  EAUTH: 'The mail server refused the user name or the password.',
  ENOAUTH: 'The mail server needs a user name and a password.',
  EDNS: 'The name of the mail server is unknown.',
  ECONNECTION: 'The mail server cannot be reached.',
  ESOCKET: 'The mail server cannot be reached.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  ETLS: 'The encrypted connection failed.',
  EPROTOCOL: 'The server does not speak SMTP.',
  EENVELOPE: 'The mail server refused the sender or the recipient.',
  EMESSAGE: 'The mail server refused the email.',
}

interface MailError {
  name?: string
  code?: string
  responseCode?: number
  cause?: unknown
}

const reasonOf = (error: unknown, signal: AbortSignal): string => {
  const { cause, name, code = '', responseCode } = error as MailError
  if (name === 'MailRefused') return reasonOf(cause, signal)
  if (signal.aborted || name === 'AbortError' || name === 'TimeoutError')
    return 'The mail server did not answer in time.'
  const reason = REASONS[code] ?? `The email was not sent (${code || 'unknown error'}).`
  return responseCode ? `${reason.slice(0, -1)} (reply ${responseCode}).` : reason
}
