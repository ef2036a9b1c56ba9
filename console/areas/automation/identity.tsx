import { Link } from '@tanstack/react-router'
import {
  type Anchor,
  type IdentityConflict,
  listAnchors,
  listConflicts,
} from '../../../shared/contract/identity.ts'
import { TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import { useApi } from '../../session/query.ts'
import { identity as texts } from '../../texts/automation.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { formatDateTime, Time } from '../../ui/time.tsx'
import { attributeName } from '../memories/attribute.ts'
import { TrustBadge } from '../memories/origin.tsx'
import { useResolution } from '../memories/resolution.ts'

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

const MAX_VALUE_LENGTH = 200

/** The contradicting values side by side. The latest of the highest trust is used until the choice. */
const ConflictCard = ({ conflict }: { conflict: IdentityConflict }) => {
  const { anchor_key, values } = conflict
  const places = values.map(({ trust }) => TRUST_LEVELS.indexOf(trust))
  const current = places.indexOf(Math.min(...places))
  const attribute = attributeName(anchor_key)
  const { choose, pending, isPending, fieldError } = useResolution(anchor_key)
  return (
    <article className="card stack" aria-label={texts.conflictOf(attribute)}>
      <h3>{texts.conflictOf(attribute)}</h3>
      <ul className="plain grid">
        {values.map(({ value, memory_id, quote, trust, at }, index) => (
          <li key={memory_id} className="choice-card stack-small">
            <div className="row spread">
              <strong className="user-text">{value}</strong>
              {index === current && <span className="badge accent">{texts.current}</span>}
              <TrustBadge memory={{ source: { trust } }} />
            </div>
            <q className="user-text quiet">{quote}</q>
            <p className="quiet small grow">
              {texts.stated} <Time iso={at} />
            </p>
            <Button
              look="primary"
              isPending={pending === value}
              isDisabled={isPending && pending !== value}
              onPress={() => choose(value)}
            >
              <span className="truncate">{texts.choose(value)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Form
        onSubmit={(data) => choose(String(data.get('chosen_value')))}
        error={fieldError}
        fields={['chosen_value']}
      >
        <div className="inline-form">
          <TextField
            name="chosen_value"
            label={texts.other}
            note={texts.otherNote}
            isRequired
            maxLength={MAX_VALUE_LENGTH}
          />
          <Button type="submit" isDisabled={isPending}>
            {texts.otherAction}
          </Button>
        </div>
      </Form>
    </article>
  )
}
