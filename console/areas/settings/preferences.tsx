import { getActivitySettings, setActivitySettings } from '../../../shared/contract/activity.ts'
import {
  getPreferences,
  type Preferences,
  setPreference,
} from '../../../shared/contract/preferences.ts'
import { setNotifier, useNotifier } from '../../session/notifier.ts'
import { useAction, useApi } from '../../session/query.ts'
import { DENSITIES, setDensity, useDensity } from '../../shell/density.ts'
import { setTheme, THEMES, useTheme } from '../../shell/theme.ts'
import { settings } from '../../texts/settings.ts'
import { shell } from '../../texts/shell.ts'
import { Switch } from '../../ui/choice.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { LanguageChoice } from './language.tsx'

const texts = settings.preferences

const FETCH = ['always', 'ask', 'never'] as const
const LEARN = ['on', 'off'] as const

export const PreferencesPage = () => {
  const preferences = useApi(getPreferences, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <LookChoice />
      <LanguageChoice />
      <NotificationChoice />
      <QuestionChoice />
      <Loaded query={preferences}>{(data) => <AccountPreferences preferences={data} />}</Loaded>
    </Page>
  )
}

const LookChoice = () => (
  <section className="card grid">
    <RadioGroup
      label={texts.theme}
      note={texts.themeNote}
      options={THEMES.map((id) => ({ id, label: shell.themes[id] }))}
      value={useTheme()}
      onChange={setTheme}
    />
    <RadioGroup
      label={texts.density}
      note={texts.densityNote}
      options={DENSITIES.map((id) => ({ id, label: texts.densities[id] }))}
      value={useDensity()}
      onChange={setDensity}
    />
  </section>
)

const NotificationChoice = () => {
  const state = useNotifier()
  return (
    <section className="card stack-small">
      <h2>{texts.notifications}</h2>
      <Switch
        isSelected={state === 'on'}
        isDisabled={state === 'blocked' || state === 'unsupported'}
        onChange={(isOn) => void setNotifier(isOn)}
      >
        {texts.notify}
      </Switch>
      <p className="quiet small">{texts.notifyNotes[state]}</p>
    </section>
  )
}

/** Whether the questions of assistants are kept with the activity. */
const QuestionChoice = () => {
  const query = useApi(getActivitySettings, {})
  const save = useAction(setActivitySettings, {
    onSuccess: () => notify(texts.saved),
    onError: notifyError,
  })
  return (
    <section className="card stack-small">
      <h2>{texts.questions}</h2>
      <Loaded query={query} lines={1}>
        {({ keeps_questions, is_fixed }) => (
          <>
            <Switch
              isSelected={save.isPending ? save.variables.body.keeps_questions : keeps_questions}
              isDisabled={is_fixed}
              onChange={(isOn) => save.mutate({ body: { keeps_questions: isOn } })}
            >
              {texts.keepQuestions}
            </Switch>
            <p className="quiet small">{is_fixed ? texts.questionsFixed : texts.questionsNote}</p>
          </>
        )}
      </Loaded>
    </section>
  )
}

/** A choice is saved at once, and shown at once while it is saved. */
const AccountPreferences = ({ preferences }: { preferences: Preferences }) => {
  const save = useAction(setPreference, {
    onSuccess: () => notify(texts.saved),
  })
  const saving = save.isPending ? save.variables : undefined
  const chosenOf = <K extends keyof Preferences>(key: K, values: readonly Preferences[K][]) =>
    values.find((value) => saving?.params.key === key && value === saving.body?.value) ??
    preferences[key]
  const change = (key: keyof Preferences) => (value: string) =>
    save.mutate({ params: { key }, body: { value } })
  return (
    <>
      {save.error && <ErrorNotice error={save.error} />}
      <section className="card">
        <RadioGroup
          label={texts.fetch}
          note={texts.fetchNote}
          options={FETCH.map((id) => ({ id, label: texts.fetchOptions[id] }))}
          value={chosenOf('auto_fetch_urls', FETCH)}
          onChange={change('auto_fetch_urls')}
        />
      </section>
      <section className="card">
        <RadioGroup
          label={texts.learn}
          note={texts.learnNote}
          options={LEARN.map((id) => ({ id, label: texts.learnOptions[id] }))}
          value={chosenOf('auto_learn_urls', LEARN)}
          onChange={change('auto_learn_urls')}
        />
      </section>
    </>
  )
}
