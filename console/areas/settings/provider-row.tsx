import { connectOAuth } from '../../../shared/contract/oauth-sign-in.ts'
import { useAction } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import type { Provider } from './connections.tsx'

const texts = settings.connections

interface ProviderRowProps {
  provider: Provider
  onDisconnect: () => void
}

export const ProviderRow = ({ provider, onDisconnect }: ProviderRowProps) => {
  const { name, label, isConfigured, connection } = provider
  const connect = useAction(connectOAuth, {
    onSuccess: ({ authorize_url }) => location.assign(authorize_url),
  })
  return (
    <li className="stack-small">
      <div className="setting">
        <div className="grow">
          <strong>{label}</strong>
          <p className="quiet small">
            {connection ? (
              <>
                {connection.email && <bdi>{connection.email} · </bdi>}
                {texts.since} <Time iso={connection.connected_at} />
              </>
            ) : (
              texts.notConnected
            )}
            {!isConfigured && ` · ${texts.notConfigured}`}
          </p>
        </div>
        {connection ? (
          <Button look="danger" aria-label={texts.disconnectNamed(label)} onPress={onDisconnect}>
            {texts.disconnect}
          </Button>
        ) : (
          <Button
            aria-label={texts.connectNamed(label)}
            isPending={connect.isPending || connect.isSuccess}
            onPress={() => connect.mutate({ params: { provider: name } })}
          >
            {texts.connect}
          </Button>
        )}
      </div>
      {connect.error && <ErrorNotice error={connect.error} />}
    </li>
  )
}
