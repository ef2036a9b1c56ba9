import { Link } from '@tanstack/react-router'
import { type Anchor, listAnchors, listConflicts } from '../../../shared/contract/identity.ts'
import { useApi } from '../../session/query.ts'
import { identity as texts } from '../../texts/automation.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { formatDateTime, Time } from '../../ui/time.tsx'
import { attributeName } from '../memories/attribute.ts'
import { TrustBadge } from '../memories/origin.tsx'
import { ConflictCard } from './conflict.tsx'

export const IdentityPage = () => {
  const anchors = useApi(listAnchors, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Conflicts />
      <Loaded query={anchors}>
        {({ anchors: list }) =>
          list.length ? (
            <AnchorTable anchors={list} />
          ) : (
            <EmptyState
              icon="user"
              title={texts.empty}
              actions={
                <Link to="/memories" className="button">
                  {texts.toMemories}
                </Link>
              }
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  )
}

const Conflicts = () => (
  <Loaded query={useApi(listConflicts, {})} lines={1}>
    {({ conflicts }) =>
      conflicts.length > 0 && (
        <div className="stack-small">
          <h2>{texts.conflicts}</h2>
          <p className="quiet">{texts.conflictsNote}</p>
          {conflicts.map((conflict) => (
            <ConflictCard key={conflict.anchor_key} conflict={conflict} />
          ))}
        </div>
      )
    }
  </Loaded>
)

const AnchorTable = ({ anchors }: { anchors: readonly Anchor[] }) => (
  <div className="stack-small">
    <h2>{texts.anchors}</h2>
    <Table
      label={texts.anchors}
      columns={[texts.attribute, texts.value, texts.source, texts.since]}
    >
      {anchors.map(({ anchor_key, value, quote, trust, since, history }) => (
        <tr key={anchor_key}>
          <th scope="row">{attributeName(anchor_key)}</th>
          <td>
            <strong>
              <bdi>{value}</bdi>
            </strong>
            <TrustBadge memory={{ source: { trust } }} />
            {history.length > 0 && (
              <p className="quiet small">
                {texts.earlier}:{' '}
                {history.map((each, index) => (
                  <span key={each.memory_id} title={formatDateTime(each.at)}>
                    {index > 0 && ', '}
                    <bdi>{each.value}</bdi>
                  </span>
                ))}
              </p>
            )}
          </td>
          <td>
            <q className="user-text">{quote}</q>
          </td>
          <td className="nowrap">
            <Time iso={since} />
          </td>
        </tr>
      ))}
    </Table>
  </div>
)
