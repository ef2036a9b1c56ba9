import { describe, expect, test } from 'bun:test'
import { newUser, request, useServer } from '../harness/server.ts'

const server = useServer()
const PROFILE = '/api/profile'
const INSTRUCTIONS = '/api/auth/instructions'

const get = (token: string, path: string) => request(server.current, 'GET', path, { token })
const put = (token: string, path: string, body: unknown) =>
  request(server.current, 'PUT', path, { token, body })

describe('the first steps', () => {
  test('completing the first steps is recorded and can be undone', async () => {
    const { accessToken } = await newUser(server.current)
    for (const completed of [true, false]) {
      expect((await put(accessToken, '/api/me/onboarding', { completed })).status).toBe(204)
      const { body } = await get(accessToken, '/api/me')
      expect(body.onboarding_completed).toBe(completed)
    }
    expect((await put(accessToken, '/api/me/onboarding', {})).status).toBe(422)
  })
})

describe('profiles', () => {
  test('a new profile has a name derived from the address and no picture', async () => {
    const user = await newUser(server.current)
    const { status, body } = await get(user.accessToken, PROFILE)
    expect(status).toBe(200)
    expect(body).toEqual({
      display_name: body.username,
      avatar_url: null,
      email: user.email,
      username: expect.stringMatching(/^[a-z0-9][a-z0-9._-]*$/),
    })
    expect(user.email).toStartWith(body.username.slice(0, 8))
  })

  test('the response to a name change has no username', async () => {
    const user = await newUser(server.current)
    const { status, body } = await put(user.accessToken, PROFILE, {
      display_name: '  Ada Lovelace\n',
    })
    expect(status).toBe(200)
    expect(body).toEqual({ display_name: 'Ada Lovelace', avatar_url: null, email: user.email })
  })

  test('a name change appears everywhere and keeps the username', async () => {
    const { accessToken } = await newUser(server.current)
    const { username } = (await get(accessToken, PROFILE)).body
    await put(accessToken, PROFILE, { display_name: 'Grace 🦉 Hopper' })
    expect((await get(accessToken, PROFILE)).body).toMatchObject({
      display_name: 'Grace 🦉 Hopper',
      username,
    })
    for (const path of ['/api/auth/me', '/api/me'])
      expect((await get(accessToken, path)).body.display_name).toBe('Grace 🦉 Hopper')
  })

  test('a profile update changes only the name', async () => {
    const user = await newUser(server.current)
    const before = (await get(user.accessToken, PROFILE)).body
    await put(user.accessToken, PROFILE, {
      display_name: 'Only this',
      username: 'admin',
      email: 'other@example.com',
      avatar_url: 'https://evil.example.com/x.png',
      is_admin: true,
    })
    expect((await get(user.accessToken, PROFILE)).body).toEqual({
      ...before,
      display_name: 'Only this',
    })
    expect((await get(user.accessToken, '/api/me')).body.is_admin).toBe(false)
  })

  test('a name has 1-50 characters after trimming', async () => {
    const { accessToken } = await newUser(server.current)
    for (const display_name of ['a', 'x'.repeat(50), ` ${'x'.repeat(50)} `])
      expect((await put(accessToken, PROFILE, { display_name })).body.display_name).toBe(
        display_name.trim(),
      )
    for (const [body, type] of [
      [{}, 'missing'],
      [{ display_name: null }, 'string_type'],
      [{ display_name: 7 }, 'string_type'],
      [{ display_name: '' }, 'string_too_short'],
      [{ display_name: ' \t\n ' }, 'string_too_short'],
      [{ display_name: 'x'.repeat(51) }, 'string_too_long'],
    ]) {
      const { status, body: answer } = await put(accessToken, PROFILE, body)
      expect([status, answer.detail]).toEqual([
        422,
        [{ loc: ['body', 'display_name'], type, msg: expect.any(String) }],
      ])
    }
  })

  test('an API key reads and changes the profile', async () => {
    const { key, email } = await newUser(server.current)
    expect((await put(key, PROFILE, { display_name: 'By key' })).status).toBe(200)
    expect((await get(key, PROFILE)).body).toMatchObject({ display_name: 'By key', email })
  })

  test('a profile update does not change other users', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    await put(ada.accessToken, PROFILE, { display_name: 'Ada' })
    expect((await get(bob.accessToken, PROFILE)).body.display_name).not.toBe('Ada')
  })
})

describe('custom instructions', () => {
  test('custom instructions are empty by default', async () => {
    const { accessToken } = await newUser(server.current)
    const { status, body } = await get(accessToken, INSTRUCTIONS)
    expect([status, body]).toEqual([200, { instructions: '' }])
  })

  test('custom instructions are trimmed and can be cleared', async () => {
    const { accessToken } = await newUser(server.current)
    const saved = await put(accessToken, INSTRUCTIONS, { instructions: '  Be brief.\nBe kind. \n' })
    expect([saved.status, saved.body]).toEqual([200, { message: expect.any(String) }])
    expect((await get(accessToken, INSTRUCTIONS)).body.instructions).toBe('Be brief.\nBe kind.')
    expect((await put(accessToken, INSTRUCTIONS, { instructions: '   ' })).status).toBe(200)
    expect((await get(accessToken, INSTRUCTIONS)).body.instructions).toBe('')
  })

  test('custom instructions have at most 1,999 characters, counted in code points', async () => {
    const { accessToken } = await newUser(server.current)
    for (const character of ['x', '🦉']) {
      const longest = character.repeat(1999)
      const sent = await put(accessToken, INSTRUCTIONS, { instructions: `  ${longest}  ` })
      expect(sent.status).toBe(200)
      const refused = await put(accessToken, INSTRUCTIONS, { instructions: character.repeat(2000) })
      expect([refused.status, refused.body]).toEqual([400, { detail: expect.any(String) }])
      expect((await get(accessToken, INSTRUCTIONS)).body.instructions).toBe(longest)
    }
  })

  test('custom instructions that are not a string are 422', async () => {
    const { accessToken } = await newUser(server.current)
    for (const [body, type] of [
      [{}, 'missing'],
      [{ instructions: null }, 'string_type'],
      [{ instructions: ['a'] }, 'string_type'],
    ]) {
      const { status, body: answer } = await put(accessToken, INSTRUCTIONS, body)
      expect([status, answer.detail]).toEqual([
        422,
        [{ loc: ['body', 'instructions'], type, msg: expect.any(String) }],
      ])
    }
  })

  test('custom instructions belong to one user, by access token and by API key', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    expect((await put(ada.key, INSTRUCTIONS, { instructions: 'Speak French.' })).status).toBe(200)
    expect((await get(ada.accessToken, INSTRUCTIONS)).body.instructions).toBe('Speak French.')
    expect((await get(bob.key, INSTRUCTIONS)).body.instructions).toBe('')
  })
})
