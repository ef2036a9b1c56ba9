import type { RegistryEntry } from '../../../shared/contract/registry.ts'
import { admin } from '../../texts/admin.ts'
import { Table } from '../../ui/table.tsx'
import { StateBadge, SwitchButton } from '../admin/switch-state.tsx'

const texts = admin.handlers
/** The `privilege_level` of a handler that every user may use. */
const EVERYONE = 'user'

interface HandlerTableProps {
  handlers: readonly RegistryEntry[]
  onSwitch: (handler: RegistryEntry) => void
}

const costOf = ({ cost_model: cost }: RegistryEntry): string =>
  cost ? `${cost.units} ${cost.metric}` : texts.free

export const HandlerTable = ({ handlers, onSwitch }: HandlerTableProps) => (
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
