import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  createSenseDevice,
  type SenseDevice,
  updateSenseDevice,
} from '../../../shared/contract/senses.ts'
import { useAction } from '../../session/query.ts'
import { devices as texts } from '../../texts/automation.ts'
import { common } from '../../texts/common.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'
import { parseObject } from './json.ts'

interface DeviceDialogProps {
  /** The device to edit. Default: a new one. */
  device?: SenseDevice
  isOpen: boolean
  onClose: () => void
}

const invalidMetadata = () =>
  new ApiFailure(422, [{ loc: ['body', 'metadata'], msg: texts.metadataInvalid }], null)

const readForm = (data: FormData) => ({
  device_name: String(data.get('device_name')),
  capabilities: String(data.get('capabilities'))
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean),
  metadata: parseObject(String(data.get('metadata')) || '{}'),
})

export const DeviceDialog = ({ device, isOpen, onClose }: DeviceDialogProps) => {
  const navigate = useNavigate()
  const [metadataError, setMetadataError] = useState<Error>()
  const create = useAction(createSenseDevice, {
    onSuccess: ({ device_id, device_name }) => {
      notify(texts.created(device_name))
      void navigate({
        to: '/automation/devices/$deviceId',
        params: { deviceId: device_id },
        replace: true,
      })
    },
  })
  const update = useAction(updateSenseDevice, {
    onSuccess: (_, { body }) => {
      notify(texts.changed(body?.device_name ?? ''))
      close()
    },
  })
  const close = () => {
    setMetadataError(undefined)
    create.reset()
    update.reset()
    onClose()
  }
  const submit = (data: FormData) => {
    const { metadata, ...fields } = readForm(data)
    setMetadataError(metadata ? undefined : invalidMetadata())
    if (!metadata) return
    const body = { ...fields, metadata }
    if (device) update.mutate({ params: { device_id: device.device_id }, body })
    else create.mutate({ body })
  }
  return (
    <Dialog title={device ? texts.edit : texts.create} isOpen={isOpen} onClose={close}>
      <Form
        onSubmit={submit}
        error={metadataError ?? create.error ?? update.error}
        fields={['device_name', 'capabilities', 'metadata']}
      >
        <DeviceFields device={device} />
        <DialogActions
          action={device ? common.save : texts.create}
          isPending={create.isPending || update.isPending}
          onCancel={close}
        />
      </Form>
    </Dialog>
  )
}

const DeviceFields = ({ device }: { device: SenseDevice | undefined }) => (
  <>
    <TextField
      name="device_name"
      label={texts.name}
      note={texts.nameNote}
      defaultValue={device?.device_name ?? ''}
      isRequired
      maxLength={100}
      autoFocus
    />
    <TextField
      name="capabilities"
      label={texts.capabilities}
      note={texts.capabilitiesNote}
      defaultValue={device?.capabilities.join(', ') ?? ''}
    />
    <TextField
      name="metadata"
      label={texts.metadata}
      note={texts.metadataNote}
      rows={3}
      defaultValue={
        device && Object.keys(device.metadata).length
          ? JSON.stringify(device.metadata, null, 2)
          : ''
      }
    />
  </>
)
