import { randomInt, timingSafeEqual } from 'node:crypto'
import { mailSignInCode, signInWithCode } from '../../../../shared/contract/index.ts'
import {
  MAILED_CODE_DIGITS,
  MAILED_CODE_MINUTES,
  type MailedCodeRequest,
  type SignInWithCode,
} from '../../../../shared/contract/mailed-codes.ts'
import { MINUTE_MS } from '../../../../shared/duration.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { ApiError } from '../../../platform/http/error.ts'
import type { Limiter } from '../../../platform/http/limits.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import { type Mail, type Mailer, renderEmail } from '../../../platform/mail/mailer.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { readTypedCode } from '../../../platform/text/typed-code.ts'
import type { SignedIn } from '../../access/sessions/service.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { emailProblem, normalizeEmail } from '../../users/email-address.ts'
import { userError } from '../../users/errors.ts'
import { findUserByEmail, lockForSignIn, lockUserForDelete } from '../../users/store.ts'
import { signInError } from '../errors.ts'
import type { SignInGuard } from '../guard/service.ts'
import { emailLinkLimit, type LinkService } from '../links/service.ts'
import { awaitsTakeOver } from '../links/store.ts'
import type { SignInPending, SignInService } from '../service.ts'
import type { TakeOver } from '../take-over.ts'
import {
  consumeMailedCode,
  deleteMailedCodes,
  findMailedCode,
  insertMailedCode,
  setMailedCode,
  tryMailedCode,
} from './store.ts'

const LIFETIME_MS = MAILED_CODE_MINUTES * MINUTE_MS
const MAX_TRIES = 5
const RETRIES = 10

interface MailedCodeDeps {
  database: Database
  jobs: Jobs
  mailer: Mailer
  limiter: Limiter
  links: LinkService
  guard: SignInGuard
  signIns: Pick<SignInService, 'completeFirstFactor'>
  takeOver: TakeOver
  baseUrl: string
}

/**
 * Signs users in by a code of six digits that is mailed to them. It works once, for ten minutes, at most five
 * times tried, and only together with the secret that the asking browser got.
 */
export type MailedCodeService = ReturnType<typeof startMailedCodeService>

export const startMailedCodeService = (deps: MailedCodeDeps) => {
  const { jobs, guard, signIns, takeOver } = deps
  const { db } = deps.database
  const mailCode = createCodeJob(deps)
  jobs.work(mailCode)

  return {
    /**
     * Mails a code if the address has a verified account. If it is not verified, the mailed link takes the account
     * over, because another person may have created it. A job does the lookup, so that neither the response nor its timing reveals which accounts exist.
     * @throws ApiError 400 for an invalid address.
     */
    async request(address: string): Promise<MailedCodeRequest> {
      const email = normalizeEmail(address)
      if (emailProblem(email) === 'malformed') throw userError('invalid_email')
      const id = Bun.randomUUIDv7()
      const attempt = createSecret()
      await insertMailedCode(db, {
        id,
        email,
        attemptHash: hashSecret(attempt),
        expiresAt: new Date(Date.now() + LIFETIME_MS),
      })
      await jobs.send(mailCode, { id, email })
      return { attempt_token: attempt, expires_in: LIFETIME_MS / 1000 }
    },

    /** Deletes the requests for an address within the transaction that deletes its account. */
    async forget(email: string, tx: Db): Promise<void> {
      await jobs.forget(mailCode, { email }, tx)
      await deleteMailedCodes(tx, email)
    },

    /**
     * @throws ApiError 401 for a wrong code and for a request that has ended, 403 for a disabled user, 429 after
     * ten failures of the address in a row.
     */
    async signIn(
      { attempt_token, code }: SignInWithCode,
      client: RequestClient,
    ): Promise<SignedIn | SignInPending> {
      const request = await findMailedCode(db, hashSecret(attempt_token))
      if (!request) throw signInError('mailed_code_wrong')
      const { id, email } = request
      await guard.reserve(email)
      const tried = await tryMailedCode(db, id, MAX_TRIES)
      const userId = tried?.userId
      if (!userId || !isCode(tried.codeHash, id, code)) {
        await (userId
          ? recordAudit(db, {
              userId,
              action: 'session.failed',
              ip: client.ip,
              details: { factor: 'mailed code' },
            })
          : guard.touch(email))
        throw signInError('mailed_code_wrong')
      }
      return db.transaction(async (tx) => {
        const takesOver = await awaitsTakeOver(tx, { id: userId, email })
        if (takesOver) await lockUserForDelete(tx, userId)
        const known = await lockForSignIn(tx, userId)
        // The address may have changed since.
        if (!known?.emailVerified || known.email !== email || !(await consumeMailedCode(tx, id)))
          throw signInError('mailed_code_wrong')
        const mailbox = { userId, email, passwordHash: null }
        const user = takesOver ? await takeOver(tx, mailbox, client) : known
        if (!user) throw signInError('mailed_code_wrong')
        const signedIn = await signIns.completeFirstFactor(tx, user, client, 'email_code')
        // Earlier failures still count until the second factor is correct too.
        if (signedIn.refreshToken) await guard.clear(email, tx)
        else await guard.refund(email, tx)
        return signedIn
      })
    },
  }
}

const hashCode = (id: string, code: string): string => hashSecret(`${id} ${code}`)

const isCode = (codeHash: string | null, id: string, code: string): boolean =>
  codeHash !== null &&
  timingSafeEqual(Buffer.from(codeHash), Buffer.from(hashCode(id, readTypedCode(code))))

/** Mails a code, unless the address has no account or received too many mails. */
const createCodeJob = ({
  database: { db },
  limiter,
  links,
  mailer,
  baseUrl,
}: MailedCodeDeps): JobKind<{ id: string; email: string }> => ({
  name: 'sign-in-code',
  retries: RETRIES,
  async run({ id, email }) {
    const user = await findUserByEmail(db, email)
    if (!user) return
    try {
      await limiter.consume(emailLinkLimit, user.id)
    } catch (error) {
      if (error instanceof ApiError) return
      throw error
    }
    await db.transaction(async (tx) => {
      if (!user.emailVerified) return links.mailTakeOver(tx, user.id, email)
      const code = String(randomInt(10 ** MAILED_CODE_DIGITS)).padStart(MAILED_CODE_DIGITS, '0')
      const isOpen = await setMailedCode(tx, id, {
        userId: user.id,
        codeHash: hashCode(id, code),
      })
      if (isOpen) await mailer.send(codeEmail(email, code, baseUrl), tx)
    })
  },
})

/** The page that takes a code from an email. Below the path of the cookies of sign-ins. */
export const CODE_PATH = '/api/auth/code/link'

const codeEmail = (to: string, code: string, baseUrl: string): Mail =>
  renderEmail({
    to,
    subject: `${code} is your code to sign in`,
    paragraphs: [
      'Hello,',
      `enter the code ${code} where you asked for it, or open this link in the same browser.`,
    ],
    link: { label: 'Sign in', url: `${baseUrl}${CODE_PATH}?code=${code}` },
    footer: `The code works once and expires after ${MAILED_CODE_MINUTES} minutes. If you did not ask for it, ignore this email, and tell the code to no one.`,
  })

export const mailedCodeRoutes = (mount: Mount, codes: MailedCodeService): void => {
  mount(mailSignInCode, ({ body }) => codes.request(body.email))
  mount(signInWithCode, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await codes.signIn(body, client)
    if (refreshToken) refreshCookie.set(refreshToken)
    return response
  })
}
