import {
  disableMfa,
  enableMfa,
  mfaStatus,
  type RecoveryCodes,
  renewRecoveryCodes,
  setupMfa,
} from '../../shared/contract/mfa.ts'
import { withHint } from '../api-errors.ts'
import { changeConfirmed } from '../confirmed.ts'
import type { Context } from '../context.ts'
import { printFields } from '../list.ts'
import { type Io, oneLine } from '../output.ts'
import { sessionClient } from '../session.ts'

const STATUS = 'To see the state, run: svc mfa status'

/** For a refused code, and for a second factor that is not enabled. */
const explain = withHint(
  [400],
  `Use a new code of the authenticator app, or a recovery code. ${STATUS}`,
)

export const runMfaStatus = async (context: Context): Promise<void> => {
  const status = await (await sessionClient(context)).call(mfaStatus)
  printFields(context, status, {
    state: status.enabled ? 'enabled' : 'disabled',
    'codes left': status.enabled ? status.recovery_codes_remaining : null,
  })
  if (!status.enabled && !context.json) context.io.info('To enable it, run: svc mfa enable')
}

/** Prints the secret as an `otpauth:` address, and at a terminal also as a QR code. */
export const runMfaEnable = async (context: Context): Promise<void> => {
  const { io } = context
  const setup = await (await sessionClient(context)).call(setupMfa).catch(withHint([409], STATUS))
  if (context.json) io.printJson(setup)
  else io.print([...(await qrCode(setup.otpauth_url, io)), oneLine(setup.otpauth_url)].join('\n'))
  io.info(
    'Add this to your authenticator app. Then, with a code of the app, run: svc mfa confirm CODE',
  )
}

/** Light modules are drawn, because most terminals are dark. A terminal that is too narrow gets no code. */
const qrCode = async (text: string, { columns = 0 }: Io): Promise<string[]> => {
  const { default: QRCode } = await import('qrcode')
  const code = await QRCode.toString(text, {
    type: 'utf8',
    errorCorrectionLevel: 'L',
    margin: 2,
    color: { dark: '#ffffff', light: '#000000' },
  })
  return code.indexOf('\n') <= columns ? [code] : []
}

const printRecoveryCodes = (context: Context, codes: RecoveryCodes, message: string): void => {
  if (context.json) context.io.printJson(codes)
  else context.io.print(codes.recovery_codes.map(oneLine).join('\n'))
  context.io.info(
    `${message} Store these recovery codes: each works once, and they are shown only once.`,
  )
}

export const runMfaConfirm = async (context: Context, { code }: { code: string }) => {
  const client = await sessionClient(context)
  const codes = await client
    .call(enableMfa, { body: { code } })
    .catch(withHint([400, 409], `For a secret and its codes, run: svc mfa enable. ${STATUS}`))
  printRecoveryCodes(context, codes, 'The second factor is enabled.')
}

export const runMfaRecoveryCodes = async (context: Context, { code }: { code: string }) => {
  const client = await sessionClient(context)
  const codes = await client.call(renewRecoveryCodes, { body: { code } }).catch(explain)
  printRecoveryCodes(context, codes, 'The old recovery codes no longer work.')
}

export const runMfaDisable = (
  context: Context,
  { code, yes }: { code: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['mfa', 'disable', code],
    find: () => sessionClient(context),
    question: () => 'Disable the second factor? The password alone then signs in.',
    change: (client) => client.call(disableMfa, { body: { code } }).catch(explain),
    response: () => ({ enabled: false }),
    done: () => 'The second factor is disabled.',
  })
