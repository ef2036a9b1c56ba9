import { useNavigate } from '@tanstack/react-router'
import { SCOPES, type Scope } from '../../../shared/contract/scopes.ts'
import { connect } from '../../texts/connect.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

const texts = connect.limits

/** The usual choices of what a credential may do; others are made with the API or `svc`. */
const CHOICES = {
  all: null,
  memory: ['memory:read', 'memory:write'],
  read: ['memory:read'],
} satisfies Record<string, Scope[] | null>
export type LimitChoice = keyof typeof CHOICES | 'other'

export const LIMIT_OPTIONS = (['all', 'memory', 'read'] as const).map((id) => ({
  id,
  label: texts.choices[id],
}))

export const scopesOf = (choice: keyof typeof CHOICES): Scope[] | null => CHOICES[choice]

const isSame = (a: readonly Scope[], b: readonly Scope[]): boolean =>
  SCOPES.every((scope) => a.includes(scope) === b.includes(scope))

const choiceOf = (scopes: readonly Scope[] | undefined): LimitChoice => {
  if (!scopes) return 'all'
  if (isSame(scopes, CHOICES.read)) return 'read'
  return isSame(scopes, CHOICES.memory) ? 'memory' : 'other'
}

interface Limits {
  scopes?: Scope[]
  paused?: boolean
}

/** The limits of a credential at present. */
export const LimitBadges = ({ scopes, paused }: Limits) => (
  <>
    {paused && <span className="badge warn">{texts.paused}</span>}
    {scopes && (
      <span className="badge" title={scopes.join(', ')}>
        {texts.badges[choiceOf(scopes)]}
      </span>
    )}
  </>
)

interface LimitChange {
  scopes?: Scope[] | null
  paused?: boolean
}

/** Reports a change. */
export const changeText = (name: string, { paused }: LimitChange = {}): string => {
  if (paused === undefined) return texts.changed(name)
  return paused ? texts.pausedNow(name) : texts.resumed(name)
}

interface LimitMenuProps {
  name: string
  limits: Limits
  onChange: (change: LimitChange) => void
}

/** Limits a credential, pauses it, and leads to what it read and wrote. */
export const LimitMenu = ({ name, limits, onChange }: LimitMenuProps) => {
  const navigate = useNavigate()
  const choice = choiceOf(limits.scopes)
  const other = choice === 'other' ? [{ id: 'other', label: texts.choices.other } as const] : []
  return (
    <Menu<LimitChoice>
      label={texts.menu(name)}
      trigger={<IconButton icon="more" label={texts.menu(name)} isSmall />}
      choice={{
        label: texts.may,
        icon: 'key',
        value: choice,
        options: [...LIMIT_OPTIONS, ...other],
        onChange: (id) => {
          if (id !== 'other' && id !== choice) onChange({ scopes: scopesOf(id) })
        },
      }}
      actions={[
        {
          label: limits.paused ? texts.resume : texts.pause,
          icon: limits.paused ? 'play' : 'stop',
          onAction: () => onChange({ paused: !limits.paused }),
        },
        {
          label: texts.activity,
          icon: 'activity',
          onAction: () => void navigate({ to: '/activity', search: { client: name } }),
        },
      ]}
    />
  )
}
