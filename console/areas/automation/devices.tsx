import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listSenseDevices, listSignals, type SenseDevice } from '../../../shared/contract/senses.ts'
import { callApi } from '../../session/client.ts'
import { useApi } from '../../session/query.ts'
import { devices as texts } from '../../texts/automation.ts'
import { ListPage, useCreateDialog } from '../../ui/list-page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeviceDialog } from './device-dialog.tsx'
import { SignalValue } from './signal-value.tsx'

/** How soon a signal appears. */
const REFRESH_MS = 5000
/** Each last value is one request, so only the first devices show it. */
const MAX_VALUES = 25

export const DevicesPage = () => {
  const { button, ...dialog } = useCreateDialog(texts.create)
  const query = useApi(listSenseDevices, {}, { pollMs: REFRESH_MS })
  return (
    <ListPage
      texts={texts}
      icon="automation"
      create={button}
      query={query}
      list={(devices) => <DeviceTable devices={devices} />}
    >
      <DeviceDialog {...dialog} />
    </ListPage>
  )
}

const DeviceTable = ({ devices }: { devices: readonly SenseDevice[] }) => (
  <Table
    label={texts.list}
    columns={[texts.name, texts.lastValue, texts.lastSignal, texts.capabilities]}
  >
    {devices.map((device, index) => (
      <tr key={device.device_id}>
        <td>
          <Link to="/automation/devices/$deviceId" params={{ deviceId: device.device_id }}>
            <bdi>{device.device_name}</bdi>
          </Link>
        </td>
        <td>{index < MAX_VALUES && <LastValue device={device} />}</td>
        <td className="nowrap">
          {device.last_signal_at ? <Time iso={device.last_signal_at} /> : texts.noSignal}
        </td>
        <td>
          <span className="row">
            {device.capabilities.map((capability) => (
              <span key={capability} className="badge">
                <bdi>{capability}</bdi>
              </span>
            ))}
          </span>
        </td>
      </tr>
    ))}
  </Table>
)

/** Requested again only after another signal. */
const LastValue = ({ device: { device_id, last_signal_at } }: { device: SenseDevice }) => {
  const last = useQuery({
    queryKey: [listSignals.name, 'last', device_id, last_signal_at],
    queryFn: ({ signal }) =>
      callApi(listSignals, { params: { device_id }, query: { limit: 1 }, signal }),
    enabled: last_signal_at !== null,
  }).data?.[0]
  return last ? <SignalValue signal={last} /> : null
}
