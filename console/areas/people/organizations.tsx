import { Link } from '@tanstack/react-router'
import { listOrgs, type Organization } from '../../../shared/contract/organizations.ts'
import { useApi } from '../../session/query.ts'
import { organizations as texts } from '../../texts/people.ts'
import { ListPage, useCreateDialog } from '../../ui/list-page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateDialog } from './organization-dialogs.tsx'
import { RoleBadge, useCurrentOrg } from './organization-parts.tsx'

export const OrganizationsPage = () => {
  const { button, ...dialog } = useCreateDialog(texts.create)
  const orgs = useApi(listOrgs, {})
  return (
    <ListPage
      texts={texts}
      icon="people"
      create={button}
      query={orgs}
      list={(list) => <OrganizationTable orgs={list} />}
    >
      <CreateDialog {...dialog} />
    </ListPage>
  )
}

const OrganizationTable = ({ orgs }: { orgs: readonly Organization[] }) => {
  const currentId = useCurrentOrg()
  return (
    <Table label={texts.list} columns={[texts.name, texts.role, texts.seats, texts.since]}>
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
    </Table>
  )
}
