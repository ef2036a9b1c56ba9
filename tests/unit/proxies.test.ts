import { expect, test } from 'bun:test'
import { isThisMachine, proxyVariable } from '../../shared/proxies.ts'

for (const [host, isOwn] of [
  ['localhost', true],
  ['LOCALHOST.', true],
  ['svc.localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['0x7f.1', true],
  ['0.0.0.0', true],
  ['[::1]', true],
  ['[::]', true],
  ['[::ffff:127.0.0.1]', true],
  ['[::ffff:7f12:3456]', true],
  ['127.0.0.1.example.com', false],
  ['127.example.com', false],
  ['notlocalhost', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
  ['[::2]', false],
  ['[::ffff:10.0.0.1]', false],
] as const)
  test(`${host} is ${isOwn ? '' : 'not '}this machine`, () => {
    expect(isThisMachine(new URL(`http://${host}:3000`).hostname)).toBe(isOwn)
  })

const HTTP = 'http://svc.example.com:3000'
for (const [url, env, variable] of [
  [HTTP, {}, undefined],
  [HTTP, { HTTP_PROXY: 'http://p' }, 'HTTP_PROXY'],
  [HTTP, { HTTP_PROXY: 'http://p', http_proxy: 'http://p' }, 'http_proxy'],
  [HTTP, { HTTPS_PROXY: 'http://p' }, undefined],
  [HTTP, { ALL_PROXY: 'http://p' }, 'ALL_PROXY'],
  ['https://svc.example.com', { HTTPS_PROXY: 'http://p', ALL_PROXY: 'x' }, 'HTTPS_PROXY'],
  ['http://localhost:3000', { HTTP_PROXY: 'http://p' }, undefined],
  [HTTP, { HTTP_PROXY: 'http://p', NO_PROXY: 'a.example, example.com' }, undefined],
  [HTTP, { HTTP_PROXY: 'http://p', no_proxy: '.example.com' }, undefined],
  [HTTP, { HTTP_PROXY: 'http://p', NO_PROXY: '*.example.com' }, undefined],
  [HTTP, { HTTP_PROXY: 'http://p', NO_PROXY: 'svc.example.com:3000' }, undefined],
  [HTTP, { HTTP_PROXY: 'http://p', NO_PROXY: '*' }, undefined],
  [HTTP, { HTTP_PROXY: 'http://p', NO_PROXY: 'vc.example.com,' }, 'HTTP_PROXY'],
] as const)
  test(`${url} passes the proxy of ${variable ?? 'no variable'} with ${Object.entries(env).join(' ')}`, () => {
    expect(proxyVariable(new URL(url), env)).toBe(variable)
  })
