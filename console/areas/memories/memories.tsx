import { getRouteApi, Link } from '@tanstack/react-router'
import { memories as texts } from '../../texts/memories.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Browse } from './browse.tsx'
import { ExportButton } from './export-button.tsx'
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
