import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listKeys } from '../../../shared/contract/keys.ts'
import type { Memory } from '../../../shared/contract/memories.ts'
import { captureOf } from '../../../shared/origin.ts'
import { useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { memories } from '../../texts/memories.ts'
import { memory as texts } from '../../texts/memory.ts'
import { number } from '../../texts/tools/numbers.ts'
import { CopyBlock, CopyButton } from '../../ui/copy.tsx'
import { Time } from '../../ui/time.tsx'
import { captureText, trustOf } from './origin.tsx'

const labels = texts.detail

export const percent = (share: number): string => number(share, { style: 'percent' })

/** The fields of a memory. Tags, thread and author lead to the memories that share them. */
export const MemoryDetails = ({ memory }: { memory: Memory }) => (
  <section className="card" aria-labelledby="details">
    <h2 id="details">{texts.details}</h2>
    <dl className="details">
      <Detail label={labels.type}>{memories.types[memory.memory_type]}</Detail>
      <Detail label={labels.importance}>{percent(memory.importance)}</Detail>
      {memory.tags.length > 0 && (
        <Detail label={labels.tags}>
          <Tags tags={memory.tags} />
        </Detail>
      )}
      {memory.thread && (
        <Detail label={labels.thread}>
          <Link to="/memories" search={{ thread: memory.thread }}>
            <bdi>{memory.thread}</bdi>
          </Link>
          {memory.position !== null && (
            <span className="quiet">, {labels.position(memory.position)}</span>
          )}
        </Detail>
      )}
      {memory.author && (
        <Detail label={labels.author}>
          <Link to="/memories" search={{ author: memory.author }}>
            <bdi>{memory.author}</bdi>
          </Link>
        </Detail>
      )}
      {memory.project && (
        <Detail label={labels.project}>
          <Link to="/memories" search={{ project: memory.project }}>
            <bdi>{memory.project}</bdi>
          </Link>
        </Detail>
      )}
      {memory.agent_slug && <Detail label={labels.agent}>{memory.agent_slug}</Detail>}
      <Times memory={memory} />
      <Detail label={labels.trust}>{trustOf(memory)}</Detail>
      <Detail label={labels.source}>
        <Source {...memory.source} />
        <CapturedLink source={memory.source} />
      </Detail>
      <Detail label={labels.id}>
        <span className="memory-id">
          <span className="mono small">{memory.memory_id}</span>
          <CopyButton text={memory.memory_id} label={texts.copyId} />
        </span>
      </Detail>
    </dl>
    <Metadata metadata={memory.metadata} />
  </section>
)

const Detail = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <ul className="plain row memory-tags">
    {tags.map((tag) => (
      <li key={tag}>
        <Link className="badge accent tag" to="/memories" search={{ tag }}>
          <bdi>{tag}</bdi>
        </Link>
      </li>
    ))}
  </ul>
)

const Times = ({ memory }: { memory: Memory }) => {
  const { occurred_at, created_at, updated_at, valid_from, valid_to } = memory
  const at = (label: string, iso: string | null) =>
    iso && (
      <Detail label={label}>
        <Time iso={iso} />
      </Detail>
    )
  return (
    <>
      {at(labels.occurred, occurred_at)}
      {at(labels.created, created_at)}
      {at(labels.updated, updated_at === created_at ? null : updated_at)}
      {at(labels.validFrom, valid_from)}
      {at(labels.validTo, valid_to)}
    </>
  )
}

/** Leads from a captured memory to the conversations with its assistant. */
const CapturedLink = ({ source }: Pick<Memory, 'source'>) => {
  const capture = captureOf(source)
  return (
    capture && (
      <>
        {' · '}
        <Link to="/memories/captured" search={{ client: capture.client }}>
          {labels.captured}
        </Link>
      </>
    )
  )
}

/** The kinds whose reference is an id that says nothing to a reader. */
const KINDS_WITH_ID: readonly string[] = ['api_key', 'session', 'impersonation', 'chat', 'answer']

/** A writer in words: an API key by its name, while it exists, and a capture by its assistant. */
export const Source = ({ kind, ref }: Pick<Memory['source'], 'kind' | 'ref'>) => {
  const keys = useApi(listKeys, {}, { enabled: kind === 'api_key' })
  const name = kind === 'api_key' ? keys.data?.find(({ id }) => id === ref)?.name : undefined
  const captured = captureText({ kind, ref })
  if (captured) return <bdi>{captured}</bdi>
  const shown = name ?? (KINDS_WITH_ID.includes(kind) ? undefined : ref)
  return (
    <>
      {texts.sources[kind] ?? <bdi>{kind}</bdi>}
      {shown && (
        <>
          {' '}
          <bdi>{common.quoted(shown)}</bdi>
        </>
      )}
    </>
  )
}

const Metadata = ({ metadata }: { metadata: Record<string, unknown> }) =>
  Object.keys(metadata).length > 0 && (
    <details className="memory-metadata">
      <summary>{labels.metadata}</summary>
      <CopyBlock text={JSON.stringify(metadata, null, 2)} />
    </details>
  )
