import { Link } from '@tanstack/react-router'
import { listReflexes, type Reflex, updateReflex } from '../../../shared/contract/reflexes.ts'
import { listSenseDevices } from '../../../shared/contract/senses.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { reflexes as texts } from '../../texts/reflexes.ts'
import { Switch } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { describeAction, describeTrigger } from './describe.ts'

/** How soon the time of a firing appears. */
const REFRESH_MS = 10_000

export const useDeviceName = () => {
  const devices = useApi(listSenseDevices, {}).data
  return (id: string) => devices?.find(({ device_id }) => device_id === id)?.device_name
}

export const ReflexesPage = () => {
  const query = useApi(listReflexes, {}, { pollMs: REFRESH_MS })
  const create = (
    <Link to="/automation/reflexes/new" className="button primary">
      <Icon name="plus" />
      {texts.create}
    </Link>
  )
  return (
    <ListPage
      texts={texts}
      icon="automation"
      create={create}
      query={query}
      list={(list) => (
        <ul className="list" aria-label={texts.list}>
          {list.map((reflex) => (
            <ReflexRow key={reflex.reflex_id} reflex={reflex} />
          ))}
        </ul>
      )}
    />
  )
}

/** Why a reflex does not simply run. */
export const ReflexBadges = ({ reflex }: { reflex: Reflex }) => (
  <>
    {reflex.confirm && <span className="badge accent">{texts.asksFirst}</span>}
    {reflex.skip_always && <span className="badge warn">{texts.alwaysSkipped}</span>}
    {reflex.disabled_reason && <span className="badge bad">{texts.disabled}</span>}
  </>
)

export const EnabledSwitch = ({ reflex }: { reflex: Reflex }) => {
  const { reflex_id, name, enabled } = reflex
  const update = useAction(updateReflex, {
    onSuccess: (changed) => notify(changed.enabled ? texts.turnedOn(name) : texts.turnedOff(name)),
    onError: notifyError,
  })
  const shown = update.isPending ? !enabled : enabled
  return (
    <Switch
      isSelected={shown}
      isDisabled={update.isPending}
      aria-label={texts.enabledOf(name)}
      onChange={(isOn) => update.mutate({ params: { reflex_id }, body: { enabled: isOn } })}
    >
      <span className="visually-hidden">{texts.enabled}</span>
    </Switch>
  )
}

const ReflexRow = ({ reflex }: { reflex: Reflex }) => {
  const deviceName = useDeviceName()
  return (
    <li className="reflex">
      <div className="grow stack-tight">
        <div className="row">
          <Link
            to="/automation/reflexes/$reflexId"
            params={{ reflexId: reflex.reflex_id }}
            className="reflex-name"
          >
            <bdi>{reflex.name}</bdi>
          </Link>
          <ReflexBadges reflex={reflex} />
        </div>
        <p className="small quiet truncate">
          {texts.when}: {describeTrigger(reflex.trigger, deviceName)}
        </p>
        <p className="small quiet truncate">
          {texts.effect}: {describeAction(reflex.action)}
        </p>
        <p className="small quiet">
          {texts.lastFired}:{' '}
          {reflex.last_fired_at ? <Time iso={reflex.last_fired_at} /> : common.never}
          {reflex.enabled && reflex.next_at && (
            <>
              {' · '}
              {texts.next}: <Time iso={reflex.next_at} />
            </>
          )}
        </p>
      </div>
      <EnabledSwitch reflex={reflex} />
    </li>
  )
}
