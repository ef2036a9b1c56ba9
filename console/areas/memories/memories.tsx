import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { memories as texts } from '../../texts/memories.ts'
import { exporting } from '../../texts/transfer.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { Browse } from './browse.tsx'
import { exportAll } from './export.ts'
import type { ChangeSearch } from './filters.tsx'
import { Results } from './results.tsx'
import type { MemorySearch } from './search.ts'
import { SearchBar } from './search-bar.tsx'

const route = getRouteApi('/memories')

/** Without the entries that are undefined, which the address would otherwise name. */
const applied = (search: object): MemorySearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

/** All memories, a search among them, or the trash. */
export const MemoriesPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change: ChangeSearch = (part) =>
    void navigate({
      to: '.',
      search: (previous: MemorySearch) => applied({ ...previous, ...part }),
      replace: 'q' in part,
    })
  return (
    <Page
      key={search.deleted ? 'trash' : 'list'}
      title={search.deleted ? texts.trash : texts.title}
      {...(search.deleted && { intro: texts.trashIntro })}
      actions={search.deleted ? <BackLink /> : <ListActions />}
    >
      <SearchBar search={search} onChange={change} />
      {search.q && !search.deleted ? (
        <Results search={search} query={search.q} onChange={change} />
      ) : (
        <Browse key={JSON.stringify(search)} search={search} />
      )}
    </Page>
  )
}

const BackLink = () => (
  <Link className="button" to="/memories">
    <Icon name="back" />
    {texts.back}
  </Link>
)

const ListActions = () => (
  <>
    <Link className="button quiet" to="/memories/projects">
      <Icon name="branch" />
      {texts.projectsLink}
    </Link>
    <Link className="button quiet" to="/memories/captured">
      <Icon name="chat" />
      {texts.capturedLink}
    </Link>
    <Link className="button quiet" to="/memories" search={{ deleted: true }}>
      <Icon name="trash" />
      {texts.trashLink}
    </Link>
    <ExportButton />
    <Link className="button" to="/memories/import">
      <Icon name="upload" />
      {texts.import}
    </Link>
    <Link className="button primary" to="/memories/new">
      <Icon name="plus" />
      {texts.remember}
    </Link>
  </>
)

const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

/** Saves all memories as a file. */
const ExportButton = () => {
  const [count, setCount] = useState<number>()
  const start = async () => {
    setCount(0)
    try {
      notify(exporting.done(await exportAll(setCount)))
    } catch (error) {
      if (!isCancelled(error))
        notifyError(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setCount(undefined)
    }
  }
  return (
    <Button icon="download" isDisabled={count !== undefined} onPress={() => void start()}>
      {count === undefined ? texts.export : exporting.running(count)}
    </Button>
  )
}
