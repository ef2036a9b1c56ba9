import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { defineRetention } from '../retention.ts'
import { createSecret } from '../secrets.ts'
import { type Html, rawHtml } from './html.ts'
import {
  beginSubmission,
  deleteExpiredSubmissions,
  deleteSubmission,
  findSubmission,
  finishSubmission,
} from './submissions-store.ts'

/** The hidden field of each form: one value for each time that a page is shown. */
const FIELD = 'submission'
const VALUE = /^[\w-]{43}$/

/** How long a repetition gets the outcome of the first submission. */
const REMEMBERED_SECONDS = 60
/** How long a repetition waits; a server that was killed meanwhile has no outcome. */
const HANDLED_SECONDS = 30
const POLL_MS = 50

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

const FORM = '<form method="post"'

/** Adds the hidden field to the forms of a page, of which no attribute has a `>`. */
export const numberForms = (source: string): Html => {
  const [before = '', ...forms] = source.split(FORM)
  const numbered = forms.map((form) => {
    const content = form.indexOf('>') + 1
    const field = `<input type="hidden" name="${FIELD}" value="${createSecret()}">`
    return FORM + form.slice(0, content) + field + form.slice(content)
  })
  return rawHtml(before + numbered.join(''))
}

/** Handles a form once, however often the browser sends it, also to several servers. */
export type Submissions = ReturnType<typeof createSubmissions>

export const createSubmissions = (db: Db) => ({
  /**
   * Handles the first of equal submissions. Another gets the same outcome, for a minute: a double click sends the
   * form twice, and the browser shows the response to the second. Corrected fields are another submission.
   * @param form as the browser sent it.
   * @throws the error of `handle`; the next submission is then the first.
   */
  async once<T extends object>(path: string, form: string, handle: () => Promise<T>): Promise<T> {
    if (!VALUE.test(new URLSearchParams(form).get(FIELD) ?? '')) return handle()
    const hash = digest(`submission ${path} ${form}`).toString('hex')
    // Only who has the form can read the outcome, which may have the cookie of a session.
    const key = digest(`outcome ${path} ${form}`)
    for (;;) {
      if (await beginSubmission(db, hash, HANDLED_SECONDS)) {
        const outcome = await handle().catch(async (error) => {
          await deleteSubmission(db, hash)
          throw error
        })
        const sealed = seal(key, JSON.stringify(outcome))
        await finishSubmission(db, hash, { sealed, seconds: REMEMBERED_SECONDS })
        return outcome
      }
      const sealed = await findSubmission(db, hash)
      if (sealed) return JSON.parse(open(key, sealed))
      if (sealed === null) await Bun.sleep(POLL_MS)
    }
  },
})

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const seal = (key: Buffer, text: string): string => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

const open = (key: Buffer, sealed: string): string => {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}

export const submissionRetention = defineRetention({
  name: 'form_submissions',
  run: ({ db }) => deleteExpiredSubmissions(db),
})
