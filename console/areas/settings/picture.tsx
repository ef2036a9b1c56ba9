import { lazy, Suspense, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { deleteAvatar, uploadAvatar } from '../../../shared/contract/profile.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.profile
/** The cropper is loaded with the first picture. */
const PictureCrop = lazy(() => import('./picture-crop.tsx'))

const TYPES = ['image/jpeg', 'image/png', 'image/webp']
const MAX_BYTES = uploadAvatar.upload?.maxBytes ?? 0

/** The reason why the server would refuse the file. */
const faultOf = ({ type, size }: File): Error | undefined => {
  if (!TYPES.includes(type)) return new Error(texts.wrongType)
  return size > MAX_BYTES ? new Error(texts.tooLarge) : undefined
}

export const Picture = ({ url }: { url: string | null }) => {
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState<Error>()
  const remove = useAction(deleteAvatar, {
    onSuccess: () => notify(texts.removed),
  })
  const choose = (chosen: File | undefined) => {
    const found = chosen && faultOf(chosen)
    setFault(found)
    setFile(found ? undefined : chosen)
  }
  const error = fault ?? remove.error
  return (
    <section className="stack-small" aria-label={texts.picture}>
      <div className="row">
        {url ? (
          <img className="avatar profile-picture" src={url} alt={texts.pictureAlt} />
        ) : (
          <span className="avatar profile-picture profile-picture-none">
            <Icon name="user" />
          </span>
        )}
        <div className="stack-small grow">
          <div className="row">
            <FileTrigger
              acceptedFileTypes={TYPES}
              onSelect={(files) => choose(files?.[0] ?? undefined)}
            >
              <Button icon="upload">{texts.choose}</Button>
            </FileTrigger>
            {url && (
              <Button look="quiet" isPending={remove.isPending} onPress={() => remove.mutate({})}>
                {texts.remove}
              </Button>
            )}
          </div>
          <p className="field-note">{texts.pictureNote}</p>
        </div>
      </div>
      {error && <ErrorNotice error={error} />}
      <Dialog title={texts.crop} isOpen={file !== undefined} onClose={() => setFile(undefined)}>
        {file && (
          <Suspense fallback={<Skeleton />}>
            <UploadPicture file={file} onDone={() => setFile(undefined)} />
          </Suspense>
        )}
      </Dialog>
    </section>
  )
}

const UploadPicture = ({ file, onDone }: { file: File; onDone: () => void }) => {
  const upload = useAction(uploadAvatar, {
    onSuccess: () => {
      notify(texts.uploaded)
      onDone()
    },
  })
  return (
    <>
      {upload.error && <ErrorNotice error={upload.error} />}
      <PictureCrop
        file={file}
        isPending={upload.isPending}
        onCrop={(cropped) => upload.mutate({ upload: cropped })}
        cancel={<Button onPress={onDone}>{common.cancel}</Button>}
      />
    </>
  )
}
