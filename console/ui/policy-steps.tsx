import { Link } from '@tanstack/react-router'
import type { PolicyShortfall } from '../../shared/contract/organization-policies.ts'
import { signOut } from '../session/token.ts'
import { shortfalls as texts } from '../texts/policies.ts'
import { Button } from './button.tsx'

const wordsOf = ({ action, allowed = [] }: PolicyShortfall): string => {
  const text = texts[action]
  return typeof text === 'string' ? text : text(allowed.join(', '))
}

/** The steps by which the user meets the policies of an organization. */
export const PolicySteps = ({ missing }: { missing: readonly PolicyShortfall[] }) => (
  <ul>
    {missing.map((shortfall) => (
      <li key={shortfall.policy}>{wordsOf(shortfall)}</li>
    ))}
  </ul>
)

/** The ways to do it. */
export const PolicyActions = ({ missing }: { missing: readonly PolicyShortfall[] }) => {
  const needs = (...actions: PolicyShortfall['action'][]) =>
    missing.some(({ action }) => actions.includes(action))
  return (
    <>
      {needs('add_passkey', 'add_second_factor') && (
        <Link className="button small" to="/settings/passkeys">
          {texts.passkeys}
        </Link>
      )}
      {needs('add_second_factor') && (
        <Link className="button small" to="/settings/second-factor">
          {texts.secondFactor}
        </Link>
      )}
      {needs('use_passkey', 'use_second_factor', 'use_provider', 'sign_in_again') && (
        <Button isSmall onPress={() => void signOut()}>
          {texts.signInAgain}
        </Button>
      )}
    </>
  )
}
