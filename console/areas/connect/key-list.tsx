import { useState } from 'react'
import { type ApiKey, listKeys, revokeKey, updateKey } from '../../../shared/contract/keys.ts'
import { listOrgs } from '../../../shared/contract/organizations.ts'
import { serverNow } from '../../session/clock.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { changeText, LimitBadges, LimitMenu } from './limits.tsx'

const { limits, keys: texts } = connect

/** Keys with what they may do, to limit, pause and revoke. */
export const KeyList = ({ keys }: { keys: readonly ApiKey[] }) => {
  const [revoking, setRevoking] = useState<ApiKey>()
  return (
    <>
      <KeyTable keys={keys} onRevoke={setRevoking} />
      <RemovalDialog
        row={revokeKey}
        entry={revoking && { name: revoking.name, args: { params: { key_id: revoking.id } } }}
        texts={{
          title: texts.revokeTitle,
          note: texts.revokeNote,
          action: texts.revoke,
          done: texts.revoked,
        }}
        onClose={() => setRevoking(undefined)}
      />
    </>
  )
}

interface KeyTableProps {
  keys: readonly ApiKey[]
  onRevoke: (key: ApiKey) => void
}

const KeyTable = ({ keys, onRevoke }: KeyTableProps) => {
  const orgs = useApi(listOrgs, {}).data
  const hasOrgs = keys.some(({ org_id }) => org_id !== null)
  const all = useApi(listKeys, {}).data ?? keys
  const nameOf = (id: string) => all.find((key) => key.id === id)?.name ?? ''
  const update = useAction(updateKey, {
    onSuccess: (key, { body }) => notify(changeText(key.name, body)),
    onError: notifyError,
  })
  const orgName = (id: string | null) =>
    id === null ? texts.personal : (orgs?.find((org) => org.id === id)?.name ?? texts.unknownOrg)
  return (
    <Table
      label={texts.list}
      columns={[texts.name, texts.prefix, hasOrgs && texts.org, texts.lastUsed, texts.expires, '']}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td className="connect-key-name">
            <div className="row">
              <bdi>{key.name}</bdi>
              <LimitBadges {...key} />
            </div>
            {key.allowed_addresses && (
              <p className="quiet small">{limits.from(key.allowed_addresses.join(', '))}</p>
            )}
            {key.parent_id && (
              <p className="quiet small">{limits.createdBy(nameOf(key.parent_id))}</p>
            )}
          </td>
          <td className="mono nowrap">{key.key_prefix}…</td>
          {hasOrgs && (
            <td className="connect-key-org">
              <bdi>{orgName(key.org_id)}</bdi>
            </td>
          )}
          <td>{key.last_used_at ? <Time iso={key.last_used_at} /> : common.never}</td>
          <td>
            <Expiry iso={key.expires_at} />
          </td>
          <td className="row-actions">
            <LimitMenu
              name={key.name}
              limits={key}
              onChange={(body) => update.mutate({ params: { key_id: key.id }, body })}
            />
            <Button
              isSmall
              look="danger"
              aria-label={texts.revokeNamed(key.name)}
              onPress={() => onRevoke(key)}
            >
              {texts.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  )
}

const Expiry = ({ iso }: { iso: string | null }) => {
  if (iso === null) return common.never
  return Date.parse(iso) > serverNow() ? (
    <Time iso={iso} />
  ) : (
    <span className="badge bad">{texts.expired}</span>
  )
}
