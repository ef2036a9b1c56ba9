import { type ReactNode, useEffect, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

const texts = settings.profile
/** Twice the size that the server stores, for a sharp result. */
const SIDE_PIXELS = 400
const MAX_ZOOM = 4
const ZOOM_STEP = 0.1

/** The object URL of a file, revoked when it is not shown any more. */
const useObjectUrl = (file: File): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url
}

/** @throws Error when the browser cannot decode the picture. */
const cropPicture = async (url: string, { x, y, width, height }: Area): Promise<File> => {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE_PIXELS
  canvas.height = SIDE_PIXELS
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, SIDE_PIXELS, SIDE_PIXELS)
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(texts.unreadable))), 'image/png')
  return new File([await promise], 'picture.png', { type: 'image/png' })
}

interface PictureCropProps {
  file: File
  isPending: boolean
  onCrop: (cropped: File) => void
  /** The button that closes. */
  cancel: ReactNode
}

/** The part of a picture to use. The arrow keys move it, a slider zooms. */
const PictureCrop = ({ file, isPending, onCrop, cancel }: PictureCropProps) => {
  const url = useObjectUrl(file)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [error, setError] = useState<Error>()
  const fail = () => setError(new Error(texts.unreadable))
  return (
    <>
      <p className="quiet">{texts.cropNote}</p>
      {error && <ErrorNotice error={error} />}
      <div className="crop-area">
        {url && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            aspect={1}
            cropShape="round"
            showGrid={false}
            disableAutomaticStylesInjection
            cropperProps={{ 'aria-label': texts.cropArea, role: 'application' }}
            mediaProps={{ onError: fail, alt: '' }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => setArea(pixels)}
          />
        )}
      </div>
      <label className="field">
        <span className="label">{texts.zoom}</span>
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={ZOOM_STEP}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
      <div className="dialog-actions">
        {cancel}
        <Button
          look="primary"
          isPending={isPending}
          isDisabled={!area || error !== undefined}
          onPress={() => {
            if (url && area) cropPicture(url, area).then(onCrop).catch(fail)
          }}
        >
          {texts.use}
        </Button>
      </div>
    </>
  )
}

/** The default export is for `lazy`. */
export default PictureCrop
