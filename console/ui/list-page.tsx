import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import type { IconName } from './icon.tsx'
import { Loaded } from './loaded.tsx'
import { EmptyState } from './notice.tsx'
import { Page } from './page.tsx'

interface ListPageProps<T> {
  texts: { title: string; intro: string; empty: string; emptyNote: string }
  icon: IconName
  /** The button or link that creates an entry: at the top, and where there is none yet. */
  create: ReactNode
  query: ComponentProps<typeof Loaded<readonly T[]>>['query']
  list: (entries: readonly T[]) => ReactNode
  /** Shown below the list. */
  children?: ReactNode
}

/** A screen with a list to which the user adds entries. */
export const ListPage = <T,>({ texts, icon, create, query, list, children }: ListPageProps<T>) => (
  <Page title={texts.title} intro={texts.intro} actions={create}>
    <Loaded query={query}>
      {(entries) =>
        entries.length ? (
          list(entries)
        ) : (
          <EmptyState icon={icon} title={texts.empty} actions={create}>
            {texts.emptyNote}
          </EmptyState>
        )
      }
    </Loaded>
    {children}
  </Page>
)

/** The dialog that creates an entry, which the address has as `dialog=create`, and the button that opens it. */
export const useCreateDialog = (label: string) => {
  const navigate = useNavigate()
  const { dialog } = useSearch({ strict: false })
  return {
    isOpen: dialog === 'create',
    onClose: () => void navigate({ to: '.', search: {}, replace: true }),
    button: (
      <Button
        look="primary"
        icon="plus"
        onPress={() => void navigate({ to: '.', search: { dialog: 'create' } })}
      >
        {label}
      </Button>
    ),
  }
}
