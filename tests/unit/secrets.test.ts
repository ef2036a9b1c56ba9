import { expect, test } from 'bun:test'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { mayHoldSecret, redactSecrets } from '../../shared/secrets.ts'

/** Characters of a key, which no real key has. */
const chars = (length: number): string => 'a1B2c3D4e5'.repeat(30).slice(0, length)
const pem = (name: string): string =>
  `-----BEGIN ${name}-----\nMIIE${chars(60)}\n${chars(64)}\n-----END ${name}-----`

test.each([
  ['AWS key', `AKIA${'ABCD2345'.repeat(2)}`],
  ['GitHub token', `ghp_${chars(36)}`],
  ['GitHub token', `github_pat_${chars(82)}`],
  ['Slack token', `xoxb-123456789012-123456789012-${chars(24)}`],
  ['npm token', `npm_${chars(36)}`],
  ['OpenAI key', `sk-proj-${chars(74)}T3BlbkFJ${chars(74)}`],
  ['OpenAI key', `sk-proj-${chars(40)}`],
  ['Anthropic key', `sk-ant-api03-${chars(93)}AA`],
  ['Stripe key', `sk_live_${chars(24)}`],
  ['Google token', `ya29.${chars(60)}`],
  ['DigitalOcean token', `dop_v1_${'0123abcd'.repeat(8)}`],
  ['Vault token', `hvs.${chars(90)}`],
  ['xAI key', `xai-${chars(80)}`],
  ['PyPI token', `pypi-${chars(80)}`],
  ['Telegram token', `123456789:${chars(35)}`],
  ['age key', `AGE-SECRET-KEY-1${'QPZRY9X8'.repeat(7)}GF`],
  ['svc key', `svc_${chars(43)}`],
  ['JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${chars(43)}`],
  ['private key', pem('RSA PRIVATE KEY')],
  ['private key', pem('OPENSSH PRIVATE KEY')],
  ['private key', pem('ENCRYPTED PRIVATE KEY')],
])('a text loses its %s %#', async (kind, secret) => {
  const { text, kinds } = await redactSecrets(`Use ${secret} today.`)
  expect(text).toBe(`Use [redacted: ${kind}] today.`)
  expect(kinds).toEqual([kind])
  expect(text).not.toContain(secret)
})

test('a private key without an end is redacted', async () => {
  const { text } = await redactSecrets(`Use ${pem('PRIVATE KEY').slice(0, 120)}, then log in.`)
  expect(text).toBe('Use [redacted: private key], then log in.')
})

test.each([
  [`aws_secret_access_key = ${chars(40)} end`, 'aws_secret_access_key = [redacted: AWS key] end'],
  [
    'postgres://app:s3cret@db.example.net/app',
    'postgres://app:[redacted: password]@db.example.net/app',
  ],
  [`Authorization: Bearer ${chars(40)}`, 'Authorization: Bearer [redacted: bearer token]'],
  [
    `AccountName=a;AccountKey=${chars(86)}==;EndpointSuffix=example.net`,
    'AccountName=a;AccountKey=[redacted: Azure key];EndpointSuffix=example.net',
  ],
  ['export DB_PASSWORD=hunter2hunter2', 'export DB_PASSWORD=[redacted: secret]'],
  [
    `//registry.example.org/:_authToken=${chars(20)}`,
    '//registry.example.org/:_authToken=[redacted: npm token]',
  ],
  [`// secretlint-disable ghp_${chars(36)}`, '// secretlint-disable [redacted: GitHub token]'],
])('the words around a secret stay: %s', async (text, redacted) => {
  expect((await redactSecrets(text)).text).toBe(redacted)
})

test.each([
  'Rename foo to bar in main.c, and run the tests.',
  'The header -----BEGIN PRIVATE KEY----- begins a key.',
  'postgres://app:$PASSWORD@db.example.net/app',
  'const token = process.env.API_TOKEN1; TOKEN=$TOKEN',
  'the bearer responsibilities-of-everyone, sk-some-long-name-without-a-number',
  'commit 8440b79c21c9acb94e22c1a0728d5f9edb77ce17c3 of src/server/memory/service.ts',
])('a text without a secret stays: %s', async (text) => {
  expect(await redactSecrets(text)).toEqual({ text, kinds: [] })
})

test('a redacted text is not changed again, and its kinds are known', async () => {
  const text = 'Use [redacted: AWS key] today.'
  expect(await redactSecrets(text)).toEqual({ text, kinds: ['AWS key'] })
})

test('the detector is loaded for each text that its rules could match', () => {
  // A new rule needs a look at its shortest match, and a name for its kind.
  expect(creator.meta.id).toBe('@secretlint/secretlint-rule-preset-recommend')
  for (const text of ['xoxb-1-a', '//x/:_authToken=a', 'mysql://a:b@c', `hf_${'a'.repeat(34)}`])
    expect([text, mayHoldSecret(text)]).toEqual([text, true])
  expect(mayHoldSecret('Where do we deploy to? Add a test for it, please.')).toBe(false)
})

test('long texts of the beginnings of secrets are redacted', async () => {
  const starts = ['sk-', 'eyJa.', 'xoxb-a-', 'https://a:', '-----BEGIN PRIVATE KEY-----\n', 'svc_']
  for (const start of starts) {
    const text = start.repeat(400_000 / start.length)
    expect((await redactSecrets(text)).text.length).toBeGreaterThan(0)
  }
})
