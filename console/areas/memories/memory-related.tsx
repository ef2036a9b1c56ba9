import { Link } from '@tanstack/react-router'
import { relatedMemories } from '../../../shared/contract/graph.ts'
import type { Memory } from '../../../shared/contract/memories.ts'
import { useApi } from '../../session/query.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import { previewOf, timeOf } from './row.tsx'

/** One request for the three sections. */
const useRelated = (id: string) => useApi(relatedMemories, { params: { memory_id: id } })

const MemoryLink = ({ memory, note }: { memory: Memory; note?: string }) => (
  <>
    <Link
      to="/memories/$id"
      params={{ id: memory.memory_id }}
      preload={false}
      dir="auto"
      className="related-text"
    >
      {previewOf(memory.content_text)}
    </Link>
    <p className="quiet small">
      {note && `${note}, `}
      <Time iso={timeOf(memory, 'happened')} />
    </p>
  </>
)

/** The memories before and after it in its thread. */
export const ThreadContext = ({ memory }: { memory: Memory }) => {
  const related = useRelated(memory.memory_id)
  const isAlone = related.data && related.data.before.length + related.data.after.length === 0
  if (!memory.thread || isAlone) return null
  const item = (each: Memory) => (
    <li key={each.memory_id}>
      <MemoryLink memory={each} {...(each.author && { note: each.author })} />
    </li>
  )
  return (
    <section className="card" aria-labelledby="thread">
      <div className="row spread">
        <h2 id="thread">{texts.thread}</h2>
        <Link to="/memories" search={{ thread: memory.thread }} className="small">
          {texts.wholeThread}
        </Link>
      </div>
      <Loaded query={related} lines={2}>
        {({ before, after }) => (
          <ol className="plain thread-context">
            {before.map(item)}
            <li aria-current="true">
              <p className="related-text" dir="auto">
                {previewOf(memory.content_text)}
              </p>
              <p className="small">{texts.here}</p>
            </li>
            {after.map(item)}
          </ol>
        )}
      </Loaded>
    </section>
  )
}

/** The memories that it is linked to in the graph. */
export const LinkedMemories = ({ id }: { id: string }) => (
  <section className="card" aria-labelledby="links">
    <h2 id="links">{texts.links}</h2>
    <Loaded query={useRelated(id)} lines={2}>
      {({ links }) =>
        links.length ? (
          <ul className="plain stack-small">
            {links.map(({ memory, kind }) => (
              <li key={memory.memory_id}>
                <MemoryLink memory={memory} note={texts.linkKinds[kind]} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="quiet small">{texts.noLinks}</p>
        )
      }
    </Loaded>
  </section>
)

/** The chain of memories that replaced each other, in both directions. */
export const Versions = ({ id }: { id: string }) => {
  const { data } = useRelated(id)
  if (!data || data.earlier_versions.length + data.later_versions.length === 0) return null
  return (
    <section className="card stack-small" aria-labelledby="versions">
      <h2 id="versions">{texts.versions}</h2>
      <VersionList title={texts.newerVersions} versions={data.later_versions} />
      <VersionList title={texts.olderVersions} versions={data.earlier_versions} />
    </section>
  )
}

const VersionList = ({ title, versions }: { title: string; versions: readonly Memory[] }) =>
  versions.length > 0 && (
    <>
      <h3>{title}</h3>
      <ol className="plain stack-small">
        {versions.map((memory) => (
          <li key={memory.memory_id}>
            <MemoryLink memory={memory} />
          </li>
        ))}
      </ol>
    </>
  )
