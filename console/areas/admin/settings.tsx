import {
  listServerSettings,
  SETTING_GROUPS,
  type ServerSetting,
} from '../../../shared/contract/server-settings.ts'
import { useApi } from '../../session/query.ts'
import { serverSettings as texts } from '../../texts/server-settings.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The settings that change while the server runs, in groups that are tested and saved alone. */
export const SettingsPage = () => {
  const query = useApi(listServerSettings, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={query} lines={6}>
        {({ settings }) =>
          SETTING_GROUPS.map((group) => {
            const own = settings.filter((each) => each.group === group)
            return (
              <SettingsForm
                key={`${group} ${versionsOf(own)}`}
                group={group}
                settings={own}
                onReload={() => void query.refetch()}
              />
            )
          })
        }
      </Loaded>
    </Page>
  )
}

/** Another version shows the new value, and drops what was typed for the old one. */
const versionsOf = (settings: readonly ServerSetting[]): string =>
  settings.map(({ version, source }) => `${version}${source}`).join(' ')
