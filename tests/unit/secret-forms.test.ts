import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  FIFTH_SET,
  FOURTH_SET,
  SECOND_SET,
  STILL_MISSED,
  THIRD_SET,
} from '../../bench/lib/later-secret-forms.ts'
import { LOOKALIKES, sampleLines } from '../../bench/lib/plain-lines.ts'
import { changedLines, missedForms } from '../../bench/lib/secret-figures.ts'
import { FORMS, HELD_BACK } from '../../bench/lib/secret-forms.ts'
import { redactSecrets } from '../../shared/secrets.ts'

const LATER = [...SECOND_SET, ...THIRD_SET, ...FOURTH_SET, ...FIFTH_SET]
const ALL = [...FORMS, ...HELD_BACK, ...LATER].filter((form) => !STILL_MISSED.includes(form))

describe('a credential is redacted in each form that tools print and people write', () => {
  test('the figures count at least 250 forms and 1,000 lines', () => {
    expect(new Set(ALL).size).toBeGreaterThanOrEqual(450)
    expect(STILL_MISSED.length).toBeLessThan(LATER.length * 0.03)
    expect(LOOKALIKES.length).toBeGreaterThanOrEqual(80)
  })

  test.each(ALL)('%s', async (form) => {
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
  ['My password is hunter2 apple, and more.', 'My password is [redacted: secret], and more.'],
  ['My password is swordfish for the NAS.', 'My password is [redacted: secret] for the NAS.'],
  ['Login: ada / Wolke7!Rot (old)', 'Login: ada / [redacted: secret] (old)'],
  ['My PIN is 4821 there.', 'My PIN is [redacted: PIN] there.'],
])('the words around a credential stay: %s', async (text, redacted) => {
  expect((await redactSecrets(text)).text).toBe(redacted)
  expect((await redactSecrets(redacted)).text).toBe(redacted)
})

test.each([
  ...[
    'password ',
    'password is ',
    'cookie: a=',
    'curl -u a:',
    'mysql -p',
    'pin is ',
    'my password ',
  ],
  ...[
    'my new wifi password for the ',
    'login ada pass ',
    'x as the password ',
    'credentials: a / ',
  ],
  ...['the root password is ', 'api:\n  a: b\n', 'Root Password: '],
])('a long text of the beginnings of a form is redacted: %s', async (start) => {
  const { text } = await redactSecrets(start.repeat(400_000 / start.length))
  expect(text.length).toBeGreaterThan(0)
})
