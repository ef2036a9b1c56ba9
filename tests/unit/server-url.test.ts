import { expect, test } from 'bun:test'
import { withScheme } from '../../shared/server-url.ts'

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['nas:3000', 'http://nas:3000'],
  ['nas.local', 'http://nas.local'],
  ['svc.example.com', 'https://svc.example.com'],
  ['svc.example.com:8443', 'https://svc.example.com:8443'],
  ['http://svc.example.com', 'http://svc.example.com'],
  ['ftp://svc.example.com', 'ftp://svc.example.com'],
  ['nonsense', 'nonsense'],
  ['', ''],
])('the server %s is %s', (typed, url) => {
  expect(withScheme(typed)).toBe(url)
})
