import { expect, test } from 'bun:test'
import { createLog } from '../../server/platform/log.ts'
import { redactUrls } from '../../shared/redact.ts'

test.each([
  ['postgres://svc:secret@db/svc', 'postgres://[hidden]@db/svc'],
  ['postgres://svc:se/c?r#e@t@db/svc', 'postgres://[hidden]@db/svc'],
  ['postgres://svc:123/4@db/svc', 'postgres://[hidden]@db/svc'],
  ["'--too=https://token@host/x' is not", "'--too=https://[hidden]@host/x' is not"],
  ['{"a":"http://x/","b":"smtp://u:p@h"}', '{"a":"http://x/","b":"smtp://[hidden]@h"}'],
])('%s is printed without its user and password', (text, redacted) => {
  expect(redactUrls(text)).toBe(redacted)
})

test.each([
  'https://medium.com/@ada',
  'http://localhost:3000/verify?email=ada@example.com',
  'http://[::1]:3000/@ada',
  'ada@example.com signed in to http://localhost:3000',
])('%s is not changed, because it has no password', (text) => {
  expect(redactUrls(text)).toBe(text)
})

test('an error in the log has no password of a URL in its message or cause', () => {
  const lines: string[] = []
  const cause = new Error('no answer from smtp://svc:secret@mail/')
  const error = new Error('cannot open postgres://svc:secret@db/svc', { cause })
  createLog('info', { write: (line) => void lines.push(line) }).warn({ error }, 'failed')
  expect(lines.join()).toContain('cannot open postgres://[hidden]@db/svc')
  expect(lines.join()).not.toContain('secret')
})
