import { listKeys } from '../../../shared/contract/keys.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { listSenseDevices } from '../../../shared/contract/senses.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'

const texts = home.assistants

export interface AssistantConnection {
  id: string
  kind: string
  name: string
  usedAt: string | null
}

/** Apps, keys that were used, and devices. `undefined` while they load. */
export const useConnections = (): AssistantConnection[] | undefined => {
  const isVerified = useMe()?.email_verified ?? false
  const apps = useApi(listApps, {}).data
  const keys = useApi(listKeys, {}).data
  const devices = useApi(listSenseDevices, {}, { enabled: isVerified }).data ?? []
  if (!apps || !keys) return undefined
  return [
    ...apps.map(({ session_id, name, last_seen_at }) => ({
      ...{ id: session_id, kind: texts.app, name },
      usedAt: last_seen_at,
    })),
    ...keys
      .filter(({ last_used_at }) => last_used_at !== null)
      .map(({ id, name, last_used_at }) => ({ id, kind: texts.key, name, usedAt: last_used_at })),
    ...devices.map(({ device_id, device_name, last_signal_at }) => ({
      ...{ id: device_id, kind: texts.device, name: device_name },
      usedAt: last_signal_at,
    })),
  ].toSorted((a, b) => (b.usedAt ?? '').localeCompare(a.usedAt ?? ''))
}
