import { useState } from 'react'
import {
  type CognitiveEngine,
  listEngines,
  switchEngine,
} from '../../../shared/contract/engines.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatNumber } from './numbers.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import { StateBadge, SwitchButton } from './switch-state.tsx'

const texts = admin.engines
const REFRESH_MS = 10_000

export const EnginesPage = () => {
  const engines = useApi(listEngines, {}, { pollMs: REFRESH_MS })
  const [switching, setSwitching] = useState<CognitiveEngine>()
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={engines}>
        {(data) => <EngineTable engines={data.engines} onSwitch={setSwitching} />}
      </Loaded>
      {switching && (
        <SwitchDialog
          row={switchEngine}
          name={switching.engine}
          isOn={switching.enabled}
          turnOffNote={texts.turnOffNote}
          args={(body) => ({ params: { engine: switching.engine }, body })}
          onClose={() => setSwitching(undefined)}
        />
      )}
    </Page>
  )
}

interface EngineTableProps {
  engines: readonly CognitiveEngine[]
  onSwitch: (engine: CognitiveEngine) => void
}

const EngineTable = ({ engines, onSwitch }: EngineTableProps) => (
  <Table
    label={texts.title}
    columns={[
      texts.engine,
      texts.state,
      { label: texts.pending, isNumeric: true },
      texts.changed,
      '',
    ]}
  >
    {engines.map((engine) => (
      <tr key={engine.engine}>
        <td className="wide-cell">
          <strong>{engine.engine}</strong>
          <div className="quiet small">{engine.about}</div>
        </td>
        <td>
          <StateBadge isOn={engine.enabled} />
        </td>
        <td className="numeric">{formatNumber(engine.pending)}</td>
        <td>
          {engine.changed_at ? <Time iso={engine.changed_at} /> : admin.none}
          {engine.reason && (
            <div className="quiet small">
              <bdi>{engine.reason}</bdi>
            </div>
          )}
        </td>
        <td className="row-actions">
          <SwitchButton
            name={engine.engine}
            isOn={engine.enabled}
            onPress={() => onSwitch(engine)}
          />
        </td>
      </tr>
    ))}
  </Table>
)
