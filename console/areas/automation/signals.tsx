import { getRouteApi } from '@tanstack/react-router'
import { listSignals, type Signal } from '../../../shared/contract/senses.ts'
import { useApiPages } from '../../session/pages.ts'
import { signals as texts } from '../../texts/automation.ts'
import { Select } from '../../ui/choice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { signalTypeOptions } from './options.ts'
import { SignalValue } from './signal-value.tsx'

const route = getRouteApi('/automation/devices/$deviceId')

const PAGE = 50
/** How soon a signal appears. */
const REFRESH_MS = 3000

/** The signals of a device as they arrive. */
export const Signals = ({ deviceId }: { deviceId: string }) => {
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useApiPages(
    listSignals,
    { deviceId, type },
    (before) => ({
      params: { device_id: deviceId },
      query: { limit: PAGE, ...(before && { before }), ...(type && { signal_type: type }) },
    }),
    (page) => (page.length === PAGE ? page.at(-1)?.signal_id : null),
    { pollMs: REFRESH_MS },
  )
  return (
    <div className="stack-small">
      <div className="row spread">
        <div>
          <h2>{texts.title}</h2>
          <p className="quiet small">{texts.note}</p>
        </div>
        <Select
          label={texts.type}
          isLabelHidden
          options={[{ id: '', label: texts.allTypes }, ...signalTypeOptions]}
          value={type ?? ''}
          onChange={(chosen) => void navigate({ to: '.', search: chosen ? { type: chosen } : {} })}
        />
      </div>
      <Loaded query={{ ...query, data: query.data?.pages.flat() }}>
        {(list) =>
          list.length ? (
            <SignalTable signals={list} />
          ) : (
            <p>{type ? texts.emptyOfType : texts.empty}</p>
          )
        }
      </Loaded>
      <LoadMore query={query} />
    </div>
  )
}

const SignalTable = ({ signals }: { signals: readonly Signal[] }) => (
  <Table label={texts.title} columns={[texts.value, texts.type, texts.occurred]}>
    {signals.map((signal) => (
      <tr key={signal.signal_id}>
        <td>
          <SignalValue signal={signal} />
        </td>
        <td className="nowrap">
          {signalTypeOptions.find(({ id }) => id === signal.signal_type)?.label ??
            signal.signal_type}
        </td>
        <td className="nowrap">
          <Time iso={signal.occurred_at} />
        </td>
      </tr>
    ))}
  </Table>
)
