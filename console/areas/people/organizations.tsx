import { getRouteApi, Link } from '@tanstack/react-router'
import { createOrg, listOrgs } from '../../../shared/contract/organizations.ts'
import type { Organization } from '../../../shared/schemas/organizations.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { organizations as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { RoleBadge, useCurrentOrg } from './organization-parts.tsx'

const route = getRouteApi('/people/organizations')

export const OrganizationsPage = () => {
  const navigate = route.useNavigate()
  const isCreating = route.useSearch().dialog === 'create'
  const orgs = useApi(listOrgs, {})
  const create = (
    <Button
      look="primary"
      icon="plus"
      onPress={() => void navigate({ to: '.', search: { dialog: 'create' } })}
    >
      {texts.create}
    </Button>
  )
  return (
    <ListPage
      texts={texts}
      icon="people"
      create={create}
      query={orgs}
      list={(list) => <OrganizationTable orgs={list} />}
    >
      <CreateDialog
        isOpen={isCreating}
        onClose={() => void navigate({ to: '.', search: {}, replace: true })}
      />
    </ListPage>
  )
}

const OrganizationTable = ({ orgs }: { orgs: readonly Organization[] }) => {
  const currentId = useCurrentOrg()
  return (
    <ScrollRegion label={texts.list}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.role}</th>
            <th scope="col">{texts.seats}</th>
            <th scope="col">{texts.since}</th>
          </tr>
        </thead>
        <tbody>
          {orgs.map(({ id, name, role, seats, is_active, created_at }) => (
            <tr key={id}>
              <td>
                <span className="row">
                  <Link to="/people/organizations/$orgId" params={{ orgId: id }}>
                    <bdi>{name}</bdi>
                  </Link>
                  {id === currentId && <span className="badge accent">{texts.current}</span>}
                  {is_active && <span className="badge">{texts.isDefault}</span>}
                </span>
              </td>
              <td>
                <RoleBadge role={role} />
              </td>
              <td className="nowrap">{texts.seatsUsed(seats.used, seats.limit)}</td>
              <td className="nowrap">
                <Time iso={created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const CreateDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const navigate = route.useNavigate()
  const create = useAction(createOrg, {
    invalidates: [listOrgs],
    onSuccess: ({ id, name }) => {
      notify(texts.created(name))
      void navigate({ to: '/people/organizations/$orgId', params: { orgId: id }, replace: true })
    },
  })
  const close = () => {
    create.reset()
    onClose()
  }
  return (
    <Dialog title={texts.create} isOpen={isOpen} onClose={close}>
      <Form
        onSubmit={(data) => create.mutate({ body: { name: String(data.get('name')) } })}
        error={create.error}
        fields={['name']}
      >
        <TextField
          name="name"
          label={texts.name}
          note={texts.nameNote}
          isRequired
          maxLength={100}
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" look="primary" isPending={create.isPending}>
            {texts.create}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
