import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PolicyShortfall } from '../../shared/contract/organization-policies.ts'
import { signOut } from '../session/token.ts'
import { common } from '../texts/common.ts'
import { policies, shortfalls as texts } from '../texts/policies.ts'
import { Button } from './button.tsx'

/** The names of sign-in methods and scopes; providers have the names of their settings. */
const NAMES = new Map<string, string>(Object.entries({ ...texts.methods, ...policies.scopeNames }))

const wordsOf = ({ action, allowed = [] }: PolicyShortfall): string => {
  const text = texts[action]
  if (typeof text === 'string') return text
  return text(allowed.map((name) => NAMES.get(name) ?? name).join(', '))
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
  const [isFailed, setFailed] = useState(false)
  const signInAgain = () => void signOut().catch(() => setFailed(true))
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
        <Button isSmall onPress={signInAgain}>
          {texts.signInAgain}
        </Button>
      )}
      {isFailed && <p role="alert">{common.unreachable}</p>}
    </>
  )
}
