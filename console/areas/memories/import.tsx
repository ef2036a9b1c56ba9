import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DropZone, FileTrigger, Text } from 'react-aria-components'
import type { ImportFormat } from '../../../shared/contract/transfer.ts'
import { memories } from '../../texts/memories.ts'
import { importing as texts } from '../../texts/transfer.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { ImportJobs } from './import-jobs.tsx'
import { startImports } from './imports.ts'

const FORMATS = ['auto', 'svc', 'chatgpt', 'claude', 'mem0', 'mcp'] as const

/** Files to import, by drag and drop or with a button, with their progress and result. */
export const ImportPage = () => {
  const [format, setFormat] = useState<ImportFormat>('auto')
  const start = (files: readonly File[]) => startImports(files, format)
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Link className="button" to="/memories">
          <Icon name="back" />
          {memories.back}
        </Link>
      }
    >
      <FileDrop onFiles={start} />
      <div className="import-format">
        <Select
          label={texts.format}
          options={FORMATS.map((id) => ({ id, label: texts.formats[id] }))}
          value={format}
          onChange={setFormat}
        />
      </div>
      <ImportJobs />
      <section className="card" aria-labelledby="help">
        <h2 id="help">{texts.help}</h2>
        <dl className="details">
          {texts.helps.map(([name, note]) => (
            <div key={name} className="import-help">
              <dt>{name}</dt>
              <dd>{note}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Page>
  )
}

const FileDrop = ({ onFiles }: { onFiles: (files: readonly File[]) => void }) => (
  <DropZone
    className="drop-zone"
    aria-label={texts.drop}
    onDrop={async ({ items }) => {
      const files = items.filter((item) => item.kind === 'file')
      onFiles(await Promise.all(files.map((item) => item.getFile())))
    }}
  >
    <Icon name="upload" />
    <Text slot="label" className="drop-title">
      {texts.drop}
    </Text>
    <p className="quiet small">{texts.dropNote}</p>
    <FileTrigger allowsMultiple onSelect={(files) => onFiles([...(files ?? [])])}>
      <Button look="primary" icon="file">
        {texts.choose}
      </Button>
    </FileTrigger>
  </DropZone>
)
