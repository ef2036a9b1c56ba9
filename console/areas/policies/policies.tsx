import { type ReactNode, useState } from 'react'
import {
  type OrgPolicies,
  SIGN_IN_METHODS,
} from '../../../shared/contract/organization-policies.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import {
  getOrgPolicies,
  type OrgPoliciesView,
  updateOrgPolicies,
} from '../../../shared/contract/policies.ts'
import { SCOPES } from '../../../shared/contract/scopes.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { policies as texts } from '../../texts/policies.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { notify } from '../../ui/toast.tsx'

const POLICIES = [
  ...(['second_factor', 'providers', 'session_hours', 'key_scopes', 'managed_sign_in'] as const),
]
const SECOND_FACTORS = (['none', 'any', 'passkey'] as const).map((id) => ({
  id,
  label: texts.secondFactors[id],
}))

/** Owners and admins change the policies; other members see them. */
export const Policies = ({ org }: { org: Organization }) => {
  const query = useApi(getOrgPolicies, { params: { org_id: org.id } })
  return (
    <div className="stack-small">
      <h2>{texts.title}</h2>
      <p className="quiet">{texts.intro}</p>
      <Loaded query={query} lines={2}>
        {(view) =>
          org.role === 'member' ? <Summary view={view} /> : <PolicyForm org={org} view={view} />
        }
      </Loaded>
    </div>
  )
}

const Summary = ({ view }: { view: OrgPoliciesView }) => {
  const labels = new Map(view.sign_in_methods.map(({ name, label }) => [name, label]))
  const { providers, session_hours: hours, key_scopes: scopes, managed_sign_in: managed } = view
  const rows: [string, string][] = [
    [texts.secondFactor, texts.secondFactors[view.second_factor]],
    [texts.providers, providers?.map((name) => labels.get(name) ?? name).join(', ') ?? texts.all],
    [texts.hours, hours === null ? texts.noLimit : String(hours)],
    [texts.scopes, scopes?.map((scope) => texts.scopeNames[scope]).join(', ') ?? texts.all],
    [texts.managed, managed?.map((name) => labels.get(name) ?? name).join(', ') ?? texts.none],
  ]
  return (
    <ul>
      {rows.map(([label, value]) => (
        <li key={label}>
          {label}: {value}
        </li>
      ))}
    </ul>
  )
}

/** The choices of a list that null makes complete. */
const chosenOf = <T extends string>(chosen: readonly T[], all: readonly T[]): T[] | null =>
  all.every((each) => chosen.includes(each)) ? null : [...chosen]

/** Others may change the other policies while the form is open: it sends what was changed in it. */
const useChanges = (org: Organization, view: OrgPolicies) => {
  const [sent, setSent] = useState(view)
  const save = useAction(updateOrgPolicies, {
    onSuccess: (saved) => {
      setSent(saved)
      notify(texts.saved)
    },
  })
  const send = (policies: OrgPolicies): void => {
    const changed = POLICIES.filter(
      (name) => JSON.stringify(policies[name]) !== JSON.stringify(sent[name]),
    )
    const body = Object.fromEntries(changed.map((name) => [name, policies[name]]))
    save.mutate({ params: { org_id: org.id }, body })
  }
  return { save, send }
}

const PolicyForm = ({ org, view }: { org: Organization; view: OrgPoliciesView }) => {
  // A provider that the server no longer offers can be removed too.
  const names = [
    ...new Set([...view.sign_in_methods.map(({ name }) => name), ...(view.providers ?? [])]),
  ]
  const labels = new Map(view.sign_in_methods.map(({ name, label }) => [name, label]))
  const [factor, setFactor] = useState(view.second_factor)
  const [providers, setProviders] = useState<readonly string[]>(view.providers ?? names)
  const [hours, setHours] = useState(view.session_hours === null ? '' : String(view.session_hours))
  const [scopes, setScopes] = useState<readonly (typeof SCOPES)[number][]>(
    view.key_scopes ?? SCOPES,
  )
  const [managed, setManaged] = useState<readonly string[]>(view.managed_sign_in ?? [])
  const offered = names.filter((name) => !SIGN_IN_METHODS.some((method) => method === name))
  const isEmpty = providers.length === 0 || scopes.length === 0
  const body: OrgPolicies = {
    second_factor: factor,
    providers: chosenOf(providers, names),
    session_hours: hours.trim() === '' ? null : Number(hours),
    key_scopes: chosenOf(scopes, SCOPES),
    managed_sign_in: managed.length > 0 ? [...managed] : null,
  }
  const { save, send } = useChanges(org, view)
  return (
    <Form
      onSubmit={() => {
        if (!isEmpty) send(body)
      }}
      error={save.error}
      fields={['session_hours']}
    >
      <Select
        label={texts.secondFactor}
        options={SECOND_FACTORS}
        value={factor}
        onChange={setFactor}
      />
      <Choices label={texts.providers} note={texts.providersNote}>
        {names.map((name) => (
          <Choice key={name} value={name} chosen={providers} onChange={setProviders}>
            {labels.get(name) ?? name}
          </Choice>
        ))}
      </Choices>
      <TextField
        name="session_hours"
        label={texts.hours}
        note={texts.hoursNote}
        value={hours}
        onChange={setHours}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={4}
      />
      <Choices label={texts.scopes} note={texts.scopesNote}>
        {SCOPES.map((scope) => (
          <Choice key={scope} value={scope} chosen={scopes} onChange={setScopes}>
            {texts.scopeNames[scope]}
          </Choice>
        ))}
      </Choices>
      {org.role === 'owner' && offered.length > 0 && (
        <Choices label={texts.managed} note={texts.managedNote}>
          {offered.map((name) => (
            <Choice key={name} value={name} chosen={managed} onChange={setManaged}>
              {labels.get(name) ?? name}
            </Choice>
          ))}
        </Choices>
      )}
      {isEmpty && <p role="alert">{texts.needsOne}</p>}
      <Button type="submit" look="primary" isPending={save.isPending} isDisabled={isEmpty}>
        {common.save}
      </Button>
    </Form>
  )
}

interface ChoicesProps {
  label: string
  note: string
  children: ReactNode
}

const Choices = ({ label, note, children }: ChoicesProps) => (
  <fieldset className="card stack-small">
    <legend className="label">{label}</legend>
    <p className="quiet small">{note}</p>
    {children}
  </fieldset>
)

interface ChoiceProps<T extends string> {
  value: T
  chosen: readonly T[]
  onChange: (chosen: readonly T[]) => void
  children: ReactNode
}

const Choice = <T extends string>({ value, chosen, onChange, children }: ChoiceProps<T>) => (
  <Checkbox
    isSelected={chosen.includes(value)}
    onChange={(isChosen) =>
      onChange(isChosen ? [...chosen, value] : chosen.filter((each) => each !== value))
    }
  >
    {children}
  </Checkbox>
)
