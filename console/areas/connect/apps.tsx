import { Link } from '@tanstack/react-router'
import { listConsents } from '../../../shared/contract/consents.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { AppList } from './app-list.tsx'
import { ConsentList } from './consent-list.tsx'

const texts = connect.apps

export const AppsPage = () => {
  const apps = useApi(listApps, {})
  const consents = useApi(listConsents, {})
  const connectOne = (
    <Link className="button primary" to="/connect">
      {texts.connect}
    </Link>
  )
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={apps}>
        {(list) =>
          list.length ? (
            <AppList apps={list} />
          ) : (
            <EmptyState icon="connect" title={texts.empty} actions={connectOne}>
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <Loaded query={consents}>
        {(list) => list.length > 0 && <ConsentList consents={list} />}
      </Loaded>
    </Page>
  )
}
