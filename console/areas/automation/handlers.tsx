import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  listRegistry,
  REGISTRY_TYPES,
  type RegistryEntry,
  type RegistryType,
  switchHandler,
} from '../../../shared/contract/registry.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Select } from '../../ui/choice.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { SwitchDialog } from '../admin/switch-dialog.tsx'
import { StateBadge, SwitchButton } from '../admin/switch-state.tsx'

const texts = admin.handlers
const route = getRouteApi('/admin/handlers')
const DEFAULT_TYPE: RegistryType = 'action_types'

export const HandlersPage = () => {
  const { type = DEFAULT_TYPE } = route.useSearch()
  const navigate = route.useNavigate()
  const handlers = useApi(listRegistry, {
    query: { registry_type: type, include_disabled: true },
  })
  const [switching, setSwitching] = useState<RegistryEntry>()
  const show = (chosen: RegistryType) =>
    void navigate({ to: '.', search: { type: chosen }, replace: true })
  return (
    <Page title={texts.title} intro={texts.intro}>
      <div className="row spread">
        <div className="filter-field">
          <Select
            label={texts.type}
            options={REGISTRY_TYPES.map((id) => ({ id, label: texts.types[id] }))}
            value={type}
            onChange={show}
          />
        </div>
        <Link to="/admin/audit" search={{ action: 'handler.switched' }}>
          {texts.why}
        </Link>
      </div>
      <Loaded query={handlers}>
        {({ entries }) =>
          entries.length ? (
            <HandlerTable handlers={entries} onSwitch={setSwitching} />
          ) : (
            <EmptyState
              icon="automation"
              title={texts.empty}
              actions={<Link to="/admin/handlers">{texts.showActions}</Link>}
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      {switching && (
        <SwitchDialog
          row={switchHandler}
          name={switching.name}
          isOn={switching.enabled}
          turnOffNote={texts.turnOffNote}
          args={(body) => ({ params: { registry_type: type, name: switching.name }, body })}
          onClose={() => setSwitching(undefined)}
        />
      )}
    </Page>
  )
}

/** The `privilege_level` of a handler that every user may use. */
const EVERYONE = 'user'

interface HandlerTableProps {
  handlers: readonly RegistryEntry[]
  onSwitch: (handler: RegistryEntry) => void
}

const costOf = ({ cost_model: cost }: RegistryEntry): string =>
  cost ? `${cost.units} ${cost.metric}` : texts.free

const HandlerTable = ({ handlers, onSwitch }: HandlerTableProps) => (
  <Table
    label={texts.title}
    columns={[texts.handler, texts.category, texts.requires, texts.cost, texts.state, '']}
  >
    {handlers.map((handler) => (
      <tr key={handler.name}>
        <td className="nowrap">
          <strong>{handler.name}</strong>
        </td>
        <td className="nowrap">{handler.category}</td>
        <td>{handler.privilege_level === EVERYONE ? texts.everyone : handler.privilege_level}</td>
        <td className="nowrap">{costOf(handler)}</td>
        <td>
          <StateBadge isOn={handler.enabled} />
        </td>
        <td className="row-actions">
          <SwitchButton
            name={handler.name}
            isOn={handler.enabled}
            onPress={() => onSwitch(handler)}
          />
        </td>
      </tr>
    ))}
  </Table>
)
