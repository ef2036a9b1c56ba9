import { useState } from 'react'
import { listManagedClients, type ManagedClient } from '../../../shared/contract/oauth-clients.ts'
import { useApi } from '../../session/query.ts'
import { apps as texts } from '../../texts/apps.ts'
import { common } from '../../texts/common.ts'
import { IconButton } from '../../ui/button.tsx'
import { ListPage, useCreateDialog } from '../../ui/list-page.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateAppDialog, DeleteAppDialog, EditAppDialog, RotateAppDialog } from './app-dialogs.tsx'

/** Other admins change the list too. */
const POLL_MS = 30_000

const DIALOGS = { edit: EditAppDialog, rotate: RotateAppDialog, delete: DeleteAppDialog }
type AppAction = keyof typeof DIALOGS

/** The apps that an admin registered for “Sign in with svc”. */
export const AppsPage = () => {
  const { button, isOpen, onClose } = useCreateDialog(texts.create)
  const query = useApi(listManagedClients, {}, { pollMs: POLL_MS })
  const [open, setOpen] = useState<{ app: ManagedClient; action: AppAction }>()
  const OpenDialog = open && DIALOGS[open.action]
  return (
    <ListPage
      texts={texts}
      icon="link"
      create={button}
      query={query}
      list={(apps) => <AppTable apps={apps} onAction={(app, action) => setOpen({ app, action })} />}
    >
      {isOpen && <CreateAppDialog onClose={onClose} />}
      {OpenDialog && <OpenDialog app={open.app} onClose={() => setOpen(undefined)} />}
    </ListPage>
  )
}

interface AppTableProps {
  apps: readonly ManagedClient[]
  onAction: (app: ManagedClient, action: AppAction) => void
}

const AppTable = ({ apps, onAction }: AppTableProps) => (
  <Table label={texts.list} columns={[texts.name, texts.scopes, texts.lastUsed, '']}>
    {apps.map((app) => (
      <tr key={app.client_id}>
        <td className="app-name">
          <div className="row">
            <bdi>{app.name}</bdi>
            {!app.confidential && <span className="badge">{texts.isPublic}</span>}
            {app.skips_consent && <span className="badge warn">{texts.skips}</span>}
          </div>
          <p className="quiet small">{app.redirect_uris.join(', ')}</p>
        </td>
        <td className="small">{app.scopes.map((scope) => texts.scopeNames[scope]).join(', ')}</td>
        <td>{app.last_used_at ? <Time iso={app.last_used_at} /> : common.never}</td>
        <td className="row-actions">
          <Menu
            label={texts.menu(app.name)}
            trigger={<IconButton icon="more" label={texts.menu(app.name)} isSmall />}
            actions={actionsOf(app, (action) => onAction(app, action))}
          />
        </td>
      </tr>
    ))}
  </Table>
)

const actionsOf = (app: ManagedClient, run: (action: AppAction) => void): MenuAction[] => [
  { label: texts.edit, icon: 'edit', onAction: () => run('edit') },
  ...(app.confidential
    ? [{ label: texts.rotate, icon: 'key' as const, onAction: () => run('rotate') }]
    : []),
  { label: texts.delete, icon: 'trash', isDanger: true, onAction: () => run('delete') },
]
