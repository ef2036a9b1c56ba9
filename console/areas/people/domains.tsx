import { useRef, useState } from 'react'
import {
  createOrgDomain,
  deleteOrgDomain,
  listOrgDomains,
  type OrgDomain,
  updateOrgDomain,
  verifyOrgDomain,
} from '../../../shared/contract/organization-domains.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import { useAction, useApi } from '../../session/query.ts'
import { domains as texts } from '../../texts/policies.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'

/** The email domains of an organization, and the form for another. */
export const Domains = ({ org }: { org: Organization }) => {
  const [removing, setRemoving] = useState<OrgDomain>()
  const query = useApi(listOrgDomains, { params: { org_id: org.id } })
  return (
    <div className="stack-small">
      <h2>{texts.title}</h2>
      <p className="quiet">{texts.intro}</p>
      <Loaded query={query} lines={1}>
        {(list) => (
          <>
            <DomainForm org={org} />
            {list.length ? (
              <Table label={texts.list} columns={[texts.domain, texts.record, texts.state, '']}>
                {list.map((domain) => (
                  <DomainRow
                    key={domain.id}
                    org={org}
                    domain={domain}
                    onRemove={() => setRemoving(domain)}
                  />
                ))}
              </Table>
            ) : (
              <p className="quiet">{texts.none}</p>
            )}
          </>
        )}
      </Loaded>
      <RemovalDialog
        row={deleteOrgDomain}
        entry={
          removing && {
            name: removing.domain,
            args: { params: { org_id: org.id, domain_id: removing.id } },
          }
        }
        texts={{
          title: texts.removeTitle,
          note: texts.removeNote,
          action: texts.remove,
          done: texts.removed,
        }}
        onClose={() => setRemoving(undefined)}
      />
    </div>
  )
}

const DomainForm = ({ org }: { org: Organization }) => {
  const [domain, setDomain] = useState('')
  const field = useRef<HTMLDivElement>(null)
  const add = useAction(createOrgDomain, {
    onSuccess: ({ domain: added }) => {
      notify(texts.added(added))
      setDomain('')
      field.current?.querySelector('input')?.focus()
    },
  })
  return (
    <div ref={field}>
      <Form
        onSubmit={() => add.mutate({ params: { org_id: org.id }, body: { domain } })}
        error={add.error}
        fields={['domain']}
      >
        <div className="inline-form">
          <TextField
            name="domain"
            label={texts.domain}
            note={texts.domainNote}
            value={domain}
            onChange={setDomain}
            isRequired
            maxLength={253}
          />
          <Button type="submit" look="primary" isPending={add.isPending}>
            {texts.add}
          </Button>
        </div>
      </Form>
    </div>
  )
}

interface DomainRowProps {
  org: Organization
  domain: OrgDomain
  onRemove: () => void
}

const stateOf = ({ verified_at, missing_since }: OrgDomain): string => {
  if (!verified_at) return texts.unverified
  return missing_since ? texts.missing : texts.verified
}

const DomainRow = ({ org, domain, onRemove }: DomainRowProps) => {
  const { id, domain: name, record, joins, verified_at } = domain
  const params = { org_id: org.id, domain_id: id }
  const verify = useAction(verifyOrgDomain, {
    onSuccess: () => notify(texts.verifiedNow(name)),
    onError: notifyError,
  })
  const update = useAction(updateOrgDomain, { onError: notifyError })
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td>
        <span className="row">
          <code className="small">{record.value}</code>
          <CopyButton text={record.value} label={texts.copyRecord(name)} />
        </span>
      </td>
      <td>{stateOf(domain)}</td>
      <td className="row-actions">
        <Switch
          aria-label={texts.joinsNamed(name)}
          isSelected={joins}
          isDisabled={update.isPending}
          onChange={(isOn) => update.mutate({ params, body: { joins: isOn } })}
        >
          {texts.joins}
        </Switch>
        {!verified_at && (
          <Button
            isSmall
            aria-label={texts.verifyNamed(name)}
            isPending={verify.isPending}
            onPress={() => verify.mutate({ params })}
          >
            {texts.verify}
          </Button>
        )}
        <Button isSmall look="danger" aria-label={texts.removeNamed(name)} onPress={onRemove}>
          {texts.remove}
        </Button>
      </td>
    </tr>
  )
}
