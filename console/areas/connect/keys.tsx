import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { listKeys } from '../../../shared/contract/keys.ts'
import { useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { CreateKeyDialog } from './create-key.tsx'
import { KeyList } from './key-list.tsx'

const texts = connect.keys
const route = getRouteApi('/connect/keys')

export const KeysPage = () => {
  const { create: isCreating = false } = route.useSearch()
  const navigate = useNavigate()
  const keys = useApi(listKeys, {})
  const setCreating = (create: boolean) =>
    void navigate({ to: '/connect/keys', search: create ? { create: true } : {}, replace: !create })
  const create = (
    <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
      {texts.create}
    </Button>
  )
  return (
    <Page title={texts.title} intro={texts.intro} actions={create}>
      <Loaded query={keys}>
        {(list) =>
          list.length ? (
            <KeyList keys={list} />
          ) : (
            <EmptyState icon="key" title={texts.empty} actions={create}>
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <CreateKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}
