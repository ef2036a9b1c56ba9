import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  changeServerSettings,
  type ServerSetting,
  type SettingGroup,
  type SettingTest,
  TESTED_GROUPS,
  testServerSettings,
} from '../../../shared/contract/server-settings.ts'
import { useAction } from '../../session/query.ts'
import { serverSettings as texts } from '../../texts/server-settings.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'
import { initialText, SettingField } from './setting-field.tsx'

interface SettingsFormProps {
  group: SettingGroup
  settings: readonly ServerSetting[]
  onReload: () => void
}

interface NewValue {
  name: string
  value: string | null
}

/** The values that were edited. An empty field restores the default, except that of a secret. */
const changedValues = (
  settings: readonly ServerSetting[],
  form: FormData,
  removed: readonly string[],
): NewValue[] =>
  settings.flatMap((setting): NewValue[] => {
    const { name, source, is_secret } = setting
    if (source === 'environment') return []
    if (removed.includes(name)) return [{ name, value: null }]
    const text = String(form.get(name) ?? '').trim()
    if (text === initialText(setting) || (is_secret && text === '')) return []
    return [{ name, value: text || null }]
  })

/** One group of settings. */
export const SettingsForm = ({ group, settings, onReload }: SettingsFormProps) => {
  const [removed, setRemoved] = useState<readonly string[]>([])
  const change = useAction(changeServerSettings, { onSuccess: () => notify(texts.saved) })
  const trial = useAction(testServerSettings)
  const tested = TESTED_GROUPS.find((each) => each === group)
  const title = texts.groups[group]

  const save = (form: FormData) => {
    const values = changedValues(settings, form, removed)
    if (values.length === 0) return notify(texts.unchanged)
    const changes = values.map((each) => ({
      ...each,
      version: settings.find(({ name }) => name === each.name)?.version ?? 0,
    }))
    change.mutate({ body: { changes } })
  }
  const tryValues = (form: HTMLFormElement | null) => {
    if (!form || !tested) return
    const values = changedValues(settings, new FormData(form), removed)
    trial.mutate({ body: { group: tested, ...(values.length && { values }) } })
  }
  return (
    <section className="card">
      <h2>{title}</h2>
      <Form onSubmit={save} error={change.error}>
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            isRemoved={removed.includes(setting.name)}
            onRemove={(isRemoved) =>
              setRemoved((names) =>
                isRemoved
                  ? [...names, setting.name]
                  : names.filter((name) => name !== setting.name),
              )
            }
          />
        ))}
        <div className="form-actions">
          <Button
            type="submit"
            look="primary"
            isPending={change.isPending}
            aria-label={texts.saveNamed(title)}
          >
            {texts.save}
          </Button>
          {tested && (
            <Button
              isPending={trial.isPending}
              aria-label={texts.testNamed(title)}
              onPress={({ target }) => tryValues(target.closest('form'))}
            >
              {texts.test}
            </Button>
          )}
          {isConflict(change.error) && <Button onPress={onReload}>{texts.loadAgain}</Button>}
        </div>
        {trial.error && <ErrorNotice error={trial.error} />}
        <TestResults tests={trial.data?.tests} />
      </Form>
    </section>
  )
}

const isConflict = (error: Error | null): boolean =>
  error instanceof ApiFailure && error.status === 409

/** A live region, which must be on the page before its text. */
const TestResults = ({ tests = [] }: { tests: readonly SettingTest[] | undefined }) => (
  <div role="status" aria-label={texts.results}>
    {tests.length > 0 && (
      <ul className="list">
        {tests.map(({ target, ok, message }) => (
          <li key={target} className="stack-tight">
            <div className="row">
              <strong className="setting-value">{target}</strong>
              <span className={ok ? 'badge good' : 'badge bad'}>
                {ok ? texts.works : texts.fails}
              </span>
            </div>
            <p>{message}</p>
          </li>
        ))}
      </ul>
    )}
  </div>
)
