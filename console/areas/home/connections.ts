import { listKeys } from '../../../shared/contract/keys.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'

const texts = home.assistants

export interface AssistantConnection {
  id: string
  kind: string
  name: string
  usedAt: string | null
}

/** Apps, and keys that were used. `undefined` while they load. Sensors are no assistants. */
export const useConnections = (): AssistantConnection[] | undefined => {
  const apps = useApi(listApps, {}).data
  const keys = useApi(listKeys, {}).data
  if (!apps || !keys) return undefined
  return [
    ...apps.map(({ session_id, name, last_seen_at }) => ({
      id: session_id,
      kind: texts.app,
      name,
      usedAt: last_seen_at,
    })),
    ...keys
      .filter(({ last_used_at }) => last_used_at !== null)
      .map(({ id, name, last_used_at }) => ({ id, kind: texts.key, name, usedAt: last_used_at })),
  ].toSorted((a, b) => (b.usedAt ?? '').localeCompare(a.usedAt ?? ''))
}
