import { describe, expect, test } from 'bun:test'
import { createErrorTranslation } from '../../shared/error-texts.ts'
import { ERROR_TEXTS_DE } from '../../shared/error-texts-de.ts'

const german = createErrorTranslation(ERROR_TEXTS_DE)

describe('the German text of an error message', () => {
  test('a message without values is found as a whole', () => {
    expect(german('Invalid code')).toBe('Ungültiger Code')
    expect(german('Invalid code ')).toBeUndefined()
    expect(german('')).toBeUndefined()
    expect(german('constructor')).toBeUndefined()
  })

  test('values stand where the German text has them', () => {
    const seats = (members: string, invites: string) =>
      german(
        `All seats of the organization are taken: ${members} and ${invites} of 3. Withdraw an invite, remove a member, or have an owner move to a tier with more seats`,
      )
    expect(seats('2 members', '1 open invite')).toStartWith(
      'Alle 3 Plätze der Organisation sind belegt: 2 Mitglieder und 1 offene Einladung. ',
    )
    expect(seats('1 member', '2 open invites')).toStartWith(
      'Alle 3 Plätze der Organisation sind belegt: 1 Mitglied und 2 offene Einladungen. ',
    )
  })

  test('the problem of a rate limit is translated with its wait', () => {
    expect(german('Too many wrong passwords. Try again in 1 minute.')).toBe(
      'Zu viele falsche Passwörter. Versuche es in 1 Minute noch einmal.',
    )
    expect(german('Something new. Try again in 23 hours.')).toBe(
      'Something new. Versuche es in 23 Stunden noch einmal.',
    )
  })

  test('a value keeps its characters, places among them', () => {
    expect(german('The tier {1}$& is not sold here')).toBe(
      'Der Tarif {1}$& wird hier nicht verkauft',
    )
  })

  test('a message of another text is not translated', () => {
    expect(german('The tier  is not sold here')).toBeUndefined()
    expect(german('The tier payg is not sold')).toBeUndefined()
    expect(german(`The tier ${'{0}'.repeat(100_000)}`)).toBeUndefined()
  })
})
