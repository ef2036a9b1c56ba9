import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { LOOKALIKES, sampleLines } from '../../bench/lib/plain-lines.ts'
import { changedLines, missedForms } from '../../bench/lib/secret-figures.ts'
import { FORMS, HELD_BACK } from '../../bench/lib/secret-forms.ts'
import { redactSecrets } from '../../shared/secrets.ts'

describe('a credential is redacted in each form that tools print and people write', () => {
  test('the figures count at least 250 forms and 1,000 lines', () => {
    expect(new Set([...FORMS, ...HELD_BACK]).size).toBeGreaterThanOrEqual(250)
    expect(LOOKALIKES.length).toBeGreaterThanOrEqual(80)
  })

  test.each([...FORMS, ...HELD_BACK])('%s', async (form) => {
    expect(await missedForms([form])).toEqual([])
  })
})

describe('a line without a credential stays', () => {
  test.each([...LOOKALIKES])('%s', async (line) => {
    expect((await redactSecrets(line)).text).toBe(line)
  })

  test('fewer than three of 1,000 lines of documentation, code and data are changed', async () => {
    const lines = await sampleLines(join(import.meta.dir, '../..'), 1000)
    expect(lines).toHaveLength(1000)
    expect((await changedLines(lines)).length).toBeLessThan(3)
  })
})

test.each([
  ['password: hunter2!x, then go on', 'password: [redacted: secret], then go on'],
  ['{"password": "X9y8z7w6", "n": 1}', '{"password": "[redacted: secret]", "n": 1}'],
  ['Das Passwort lautet „Geheim99“.', 'Das Passwort lautet „[redacted: secret]“.'],
  ['mysql -u root -pt1ger app', 'mysql -u root -p[redacted: password] app'],
  ['Cookie: theme=dark; sid=a1b2c3d4e5', 'Cookie: theme=dark; sid=[redacted: cookie]'],
  ['My PIN is 4821 there.', 'My PIN is [redacted: PIN] there.'],
])('the words around a credential stay: %s', async (text, redacted) => {
  expect((await redactSecrets(text)).text).toBe(redacted)
  expect((await redactSecrets(redacted)).text).toBe(redacted)
})

test('long texts of the beginnings of forms are redacted', async () => {
  const starts = ['password ', 'password is ', 'cookie: a=', 'curl -u a:', 'mysql -p', 'pin is ']
  for (const start of starts) {
    const { text } = await redactSecrets(start.repeat(400_000 / start.length))
    expect(text.length).toBeGreaterThan(0)
  }
})
