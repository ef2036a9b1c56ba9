import { useState } from 'react'
import {
  type CognitiveEngine,
  listEngines,
  switchEngine,
} from '../../../shared/contract/engines.ts'
import { healthDetail } from '../../../shared/contract/health.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
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
      <EncoderSuggestion />
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

/** Where most memories are in languages that the built-in encoder does not know. */
const EncoderSuggestion = () => {
  const { data } = useApi(healthDetail, {})
  if (!data?.parts.embedding?.suggestion) return null
  return (
    <Notice>
      <p>{texts.multilingual}</p>
      <CodeBlock source={INSTALL} />
      <p>{texts.keepBuiltIn}</p>
      <CodeBlock source="SVC_EMBEDDING=onnx:minilm" />
    </Notice>
  )
}

const INSTALL = `svc models install multilingual-e5
SVC_EMBEDDING=onnx:multilingual-e5 svc serve`

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
