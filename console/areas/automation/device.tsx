import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  deleteSenseDevice,
  getSenseDevice,
  type SenseDevice,
  type SignalType,
  sendSignal,
} from '../../../shared/contract/senses.ts'
import { BASE_URL } from '../../base.ts'
import { useAction, useApi } from '../../session/query.ts'
import { signals, devices as texts } from '../../texts/automation.ts'
import { common } from '../../texts/common.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { DeviceDialog } from './device-dialog.tsx'
import { parseSignalValue } from './json.ts'
import { signalTypeOptions } from './options.ts'
import { Signals } from './signals.tsx'

const route = getRouteApi('/automation/devices/$deviceId')

export const DevicePage = () => {
  const { deviceId } = route.useParams()
  const query = useApi(getSenseDevice, { params: { device_id: deviceId } })
  return (
    <Page
      title={query.data?.device_name ?? texts.title}
      intro={
        <Link to="/automation/devices" className="back-link">
          <Icon name="back" />
          {texts.back}
        </Link>
      }
      actions={query.data && <Actions device={query.data} />}
    >
      <Loaded query={query}>
        {(device) => (
          <>
            {device.capabilities.length > 0 && (
              <div className="row">
                {device.capabilities.map((capability) => (
                  <span key={capability} className="badge">
                    <bdi>{capability}</bdi>
                  </span>
                ))}
              </div>
            )}
            <Signals deviceId={deviceId} />
            <Command deviceId={deviceId} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Actions = ({ device }: { device: SenseDevice }) => {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'send' | 'edit' | 'delete'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Button look="primary" icon="send" onPress={() => setDialog('send')}>
        {signals.send}
      </Button>
      <Menu
        label={texts.more(device.device_name)}
        trigger={<IconButton icon="more" label={texts.more(device.device_name)} />}
        actions={[
          { label: common.edit, icon: 'edit', onAction: () => setDialog('edit') },
          {
            label: texts.delete,
            icon: 'trash',
            isDanger: true,
            onAction: () => setDialog('delete'),
          },
        ]}
      />
      <SendSignalDialog device={device} isOpen={dialog === 'send'} onClose={close} />
      <DeviceDialog device={device} isOpen={dialog === 'edit'} onClose={close} />
      <RemovalDialog
        row={deleteSenseDevice}
        entry={
          dialog === 'delete'
            ? { name: device.device_name, args: { params: { device_id: device.device_id } } }
            : undefined
        }
        texts={{
          title: texts.deleteTitle,
          note: texts.deleteNote,
          action: texts.delete,
          done: texts.deleted,
        }}
        onClose={close}
        onDone={() => void navigate({ to: '/automation/devices', replace: true })}
      />
    </>
  )
}

const Command = ({ deviceId }: { deviceId: string }) => (
  <div className="stack-small">
    <h2>{signals.fromDevice}</h2>
    <p className="quiet small">{signals.fromDeviceNote}</p>
    <CopyBlock
      label={signals.copyCommand}
      text={[
        `curl ${BASE_URL}/api/senses/devices/${deviceId}/signals \\`,
        '  -H "Authorization: Bearer $SVC_API_KEY" -H "Content-Type: application/json" \\',
        `  -d '{"signal_type": "readings", "value": {"temperature": 21.5}}'`,
      ].join('\n')}
    />
  </div>
)

interface SendSignalDialogProps {
  device: SenseDevice
  isOpen: boolean
  onClose: () => void
}

/** Sends a signal by hand, which tests the reflexes that watch the device. */
const SendSignalDialog = ({ device, isOpen, onClose }: SendSignalDialogProps) => {
  const [type, setType] = useState<SignalType>('readings')
  const send = useAction(sendSignal, {
    onSuccess: ({ deduplicated }) => {
      notify(deduplicated ? signals.deduplicated : signals.sent)
      close()
    },
  })
  const close = () => {
    send.reset()
    onClose()
  }
  const submit = (data: FormData) =>
    send.mutate({
      params: { device_id: device.device_id },
      body: { signal_type: type, value: parseSignalValue(type, String(data.get('value'))) },
    })
  return (
    <Dialog title={signals.send} isOpen={isOpen} onClose={close}>
      <p className="quiet">{signals.sendNote}</p>
      <Form onSubmit={submit} error={send.error} fields={['value']}>
        <Select label={signals.type} options={signalTypeOptions} value={type} onChange={setType} />
        <TextField
          name="value"
          label={signals.value}
          note={signals.valueNotes[type]}
          rows={2}
          isRequired
          autoFocus
        />
        <DialogActions action={signals.sendAction} isPending={send.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
