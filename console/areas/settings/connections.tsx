import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  connectOAuth,
  disconnectOAuth,
  listConnections,
  listOAuthProviders,
  type OAuthConnection,
  type OAuthProviders,
} from '../../../shared/contract/oauth-sign-in.ts'
import { useAction, useApi } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.connections
const route = getRouteApi('/settings/connections')

interface Provider {
  name: string
  label: string
  isConfigured: boolean
  connection: OAuthConnection | undefined
}

/** The configured providers, and those that are connected although they are configured no more. */
const mergeProviders = (
  { providers }: OAuthProviders,
  connections: readonly OAuthConnection[],
): Provider[] => {
  const connectionOf = (name: string) => connections.find(({ provider }) => provider === name)
  const configured = providers.map(({ name, label }) => ({
    name,
    label,
    isConfigured: true,
    connection: connectionOf(name),
  }))
  const others = [...new Set(connections.map(({ provider }) => provider))]
    .filter((name) => !providers.some((provider) => provider.name === name))
    .map((name) => ({ name, label: name, isConfigured: false, connection: connectionOf(name) }))
  return [...configured, ...others]
}

export const ConnectionsPage = () => {
  const providers = useApi(listOAuthProviders, {})
  const connections = useApi(listConnections, {})
  const [disconnecting, setDisconnecting] = useState<Provider>()
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Result providers={providers.data} />
      <Loaded query={providers}>
        {(offered) => (
          <Loaded query={connections}>
            {(connected) => (
              <ProviderList
                providers={mergeProviders(offered, connected)}
                onDisconnect={setDisconnecting}
              />
            )}
          </Loaded>
        )}
      </Loaded>
      <DisconnectDialog provider={disconnecting} onClose={() => setDisconnecting(undefined)} />
    </Page>
  )
}

/** The result of connecting, after the browser came back from the provider. */
const Result = ({ providers }: { providers: OAuthProviders | undefined }) => {
  const { connected, error } = route.useSearch()
  if (error !== undefined) {
    const reason = Object.entries(texts.errors).find(([code]) => code === error)?.[1]
    return (
      <div role="alert">
        <Notice look="bad">
          {texts.failed} {reason ?? texts.errors.provider_error}
        </Notice>
      </div>
    )
  }
  const provider = providers?.providers.find(({ name }) => name === connected)
  return provider ? (
    <div role="status">
      <Notice look="good">{texts.connected(provider.label)}</Notice>
    </div>
  ) : null
}

interface ProviderListProps {
  providers: readonly Provider[]
  onDisconnect: (provider: Provider) => void
}

const ProviderList = ({ providers, onDisconnect }: ProviderListProps) =>
  providers.length ? (
    <ul className="list">
      {providers.map((provider) => (
        <ProviderRow
          key={provider.name}
          provider={provider}
          onDisconnect={() => onDisconnect(provider)}
        />
      ))}
    </ul>
  ) : (
    <EmptyState
      icon="link"
      title={texts.empty}
      actions={
        <Link className="button" to="/settings/password">
          {settings.areas.password}
        </Link>
      }
    >
      {texts.emptyNote}
    </EmptyState>
  )

interface ProviderRowProps {
  provider: Provider
  onDisconnect: () => void
}

const ProviderRow = ({ provider, onDisconnect }: ProviderRowProps) => {
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

interface DisconnectDialogProps {
  /** Closed if left out. */
  provider: Provider | undefined
  onClose: () => void
}

const DisconnectDialog = ({ provider, onClose }: DisconnectDialogProps) => {
  const label = provider?.label ?? ''
  const disconnect = useAction(disconnectOAuth, {
    onSuccess: () => {
      notify(texts.disconnected(label))
      onClose()
    },
  })
  const close = () => {
    disconnect.reset()
    onClose()
  }
  const { error } = disconnect
  const isOnlyWay = error instanceof ApiFailure && error.status === 400
  return (
    <ConfirmDialog
      title={texts.disconnectTitle(label)}
      action={texts.disconnect}
      isOpen={provider !== undefined}
      isPending={disconnect.isPending}
      error={error}
      onConfirm={() => provider && disconnect.mutate({ params: { provider: provider.name } })}
      onClose={close}
    >
      <p>{texts.disconnectNote(label)}</p>
      {isOnlyWay && (
        <p>
          <Link to="/settings/password">{texts.setPassword}</Link>
        </p>
      )}
    </ConfirmDialog>
  )
}
