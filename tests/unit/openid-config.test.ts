import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../server/config/config.ts'
import { configTable } from '../../server/config/tables.ts'

const WORK = {
  SVC_OIDC_WORK_ISSUER: 'https://login.example.com/realms/staff',
  SVC_OIDC_WORK_ID: 'svc',
  SVC_OIDC_WORK_SECRET: 'a secret',
}
const settings = {
  name: 'work',
  label: 'login.example.com',
  issuer: 'https://login.example.com/realms/staff',
  clientId: 'svc',
  clientSecret: 'a secret',
  scopes: 'openid email',
}

const mistakeOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('OpenID providers in the configuration', () => {
  test('a provider needs an issuer, an id and a secret, and has defaults for the rest', () => {
    const { openId, unknown } = readConfig(WORK)
    expect([openId, unknown]).toEqual([[settings], []])
  })

  test('several providers are listed by their names, with labels and scopes', () => {
    const { openId } = readConfig({
      ...WORK,
      SVC_OIDC_WORK_LABEL: 'Example Works',
      SVC_OIDC_WORK_SCOPES: ' openid  email   profile ',
      SVC_OIDC_A_ID_1_ISSUER: 'http://127.0.0.1:8080/',
      SVC_OIDC_A_ID_1_ID: 'other',
      SVC_OIDC_A_ID_1_SECRET: 'other secret',
    })
    expect(openId).toMatchObject([
      { name: 'a_id_1', issuer: 'http://127.0.0.1:8080/' },
      { ...settings, label: 'Example Works', scopes: 'openid email profile' },
    ])
  })

  for (const [title, env, mistake] of [
    [
      'the name of a built-in provider',
      { SVC_OIDC_GOOGLE_ID: 'x' },
      'SVC_OIDC_GOOGLE_* must have another name: google, github, twitter are built in, with SVC_OAUTH_*, and password, passkey, email_code are other methods',
    ],
    [
      'a name of more than 30 characters',
      { [`SVC_OIDC_${'A'.repeat(31)}_ID`]: 'x' },
      `SVC_OIDC_${'A'.repeat(31)}_* must have a name of 1 to 30 characters of A-Z, 0-9 and _`,
    ],
    [
      'a name in lower case',
      { SVC_OIDC_work_ID: 'x' },
      'SVC_OIDC_work_* must have a name of 1 to 30 characters of A-Z, 0-9 and _',
    ],
    [
      'a missing variable',
      { SVC_OIDC_WORK_ID: 'x' },
      'SVC_OIDC_WORK_* requires SVC_OIDC_WORK_ISSUER and SVC_OIDC_WORK_SECRET',
    ],
    [
      'an issuer by plain HTTP on another machine',
      { ...WORK, SVC_OIDC_WORK_ISSUER: 'http://login.example.com' },
      'SVC_OIDC_WORK_ISSUER must be a URL that starts with https://, or http:// on this machine',
    ],
    [
      'an issuer with a query',
      { ...WORK, SVC_OIDC_WORK_ISSUER: 'https://login.example.com/?tenant=1' },
      'SVC_OIDC_WORK_ISSUER must be the URL of an issuer, without a query, a fragment and credentials',
    ],
    [
      'scopes without openid',
      { ...WORK, SVC_OIDC_WORK_SCOPES: 'email profile' },
      'SVC_OIDC_WORK_SCOPES must be scopes separated by spaces, with openid, such as: openid email profile',
    ],
    [
      'a label of more than 60 characters',
      { ...WORK, SVC_OIDC_WORK_LABEL: 'x'.repeat(61) },
      'SVC_OIDC_WORK_LABEL must be at most 60 characters',
    ],
  ] as [string, Record<string, string>, string][])
    test(`${title} stops the start with the mistake`, () => {
      expect(mistakeOf(env)).toBe(mistake)
    })

  test('an unknown part of a name is reported as an unknown variable', () => {
    const { unknown } = readConfig({ ...WORK, SVC_OIDC_WORK_TENANT: 'x' })
    expect(unknown).toEqual(['SVC_OIDC_WORK_TENANT'])
  })

  test('the table of variables has a row for each part', () => {
    for (const part of ['ISSUER', 'ID', 'SECRET', 'SCOPES', 'LABEL'])
      expect(configTable()).toContain(`| \`SVC_OIDC_<NAME>_${part}\` |`)
  })
})
