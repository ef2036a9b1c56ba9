import { Link } from '@tanstack/react-router'
import type { MemoryList } from '../../../shared/contract/memory-lists.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { MemoryLink } from './memory-link.tsx'
import { REMEMBER_FIELD } from './remember-form.tsx'

const texts = home.recent

interface RecentProps {
  query: Parameters<typeof Loaded<MemoryList>>[0]['query']
}

export const Recent = ({ query }: RecentProps) => (
  <section className="stack-small" aria-labelledby="recent">
    <div className="row spread">
      <h2 id="recent">{texts.title}</h2>
      <Link to="/memories">{texts.all}</Link>
    </div>
    <Loaded query={query}>
      {({ memories }) =>
        memories.length ? (
          <ul className="list home-list">
            {memories.map((memory) => (
              <li key={memory.memory_id}>
                <MemoryLink memory={memory} />
              </li>
            ))}
          </ul>
        ) : (
          <EmptyState
            icon="memory"
            title={texts.empty}
            actions={
              <Button onPress={() => document.getElementById(REMEMBER_FIELD)?.focus()}>
                {texts.add}
              </Button>
            }
          >
            {texts.emptyNote}
          </EmptyState>
        )
      }
    </Loaded>
  </section>
)
