import { useState } from 'react'
import { CheckboxGroup, Label } from 'react-aria-components'
import {
  type AllowedClients,
  getAllowedClients,
  setAllowedClients,
} from '../../../shared/contract/allowed-clients.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import { useAction, useApi } from '../../session/query.ts'
import { allowedApps as texts } from '../../texts/apps.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { notify } from '../../ui/toast.tsx'

/** The apps that may act in an organization. Only owners change them. */
export const AllowedApps = ({ org }: { org: Organization }) => {
  const query = useApi(getAllowedClients, { params: { org_id: org.id } })
  return (
    <section className="stack-small" aria-labelledby="allowed-apps">
      <h2 id="allowed-apps">{texts.title}</h2>
      <p className="quiet">{texts.intro}</p>
      <Loaded query={query} lines={2}>
        {(allowed) => <AllowedForm org={org} allowed={allowed} />}
      </Loaded>
    </section>
  )
}

const CHOICES = [
  { id: 'all', label: texts.all },
  { id: 'some', label: texts.some },
] as const

/** Apps that are allowed, but neither registered nor used any more, have only their id. */
const appsOf = ({ client_ids, known }: AllowedClients) => {
  const ids = new Set(known.map(({ client_id }) => client_id))
  const others = (client_ids ?? []).filter((client_id) => !ids.has(client_id))
  return [...known, ...others.map((client_id) => ({ client_id, name: client_id, in_use: false }))]
}

const AllowedForm = ({ org, allowed }: { org: Organization; allowed: AllowedClients }) => {
  const [choice, setChoice] = useState<'all' | 'some'>(allowed.client_ids ? 'some' : 'all')
  const [chosen, setChosen] = useState<readonly string[]>(allowed.client_ids ?? [])
  const [seen, setSeen] = useState(allowed.client_ids)
  // Another owner or the command line changed them.
  if (seen !== allowed.client_ids) {
    setSeen(allowed.client_ids)
    setChoice(allowed.client_ids ? 'some' : 'all')
    setChosen(allowed.client_ids ?? [])
  }
  const save = useAction(setAllowedClients, { onSuccess: () => notify(texts.saved) })
  const isOwner = org.role === 'owner'
  const apps = appsOf(allowed)
  const submit = () =>
    save.mutate({
      params: { org_id: org.id },
      body: { client_ids: choice === 'all' ? null : [...chosen] },
    })
  return (
    <Form onSubmit={submit} error={save.error}>
      <Select
        label={texts.which}
        options={CHOICES}
        value={choice}
        onChange={setChoice}
        isDisabled={!isOwner}
        {...(!isOwner && { note: texts.ownersOnly })}
      />
      {choice === 'some' &&
        (apps.length === 0 ? (
          <p className="quiet">{texts.none}</p>
        ) : (
          <CheckboxGroup
            className="check-grid"
            value={[...chosen]}
            onChange={setChosen}
            isDisabled={!isOwner}
          >
            <Label className="visually-hidden">{texts.which}</Label>
            {apps.map(({ client_id, name, in_use }) => (
              <Checkbox key={client_id} value={client_id}>
                <bdi>{name}</bdi> {in_use && <span className="badge">{texts.inUse}</span>}
              </Checkbox>
            ))}
          </CheckboxGroup>
        ))}
      {isOwner && (
        <div className="row">
          <Button type="submit" isPending={save.isPending}>
            {texts.set}
          </Button>
        </div>
      )}
    </Form>
  )
}
