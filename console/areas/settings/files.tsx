import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteFile, listFiles, type StoredFile } from '../../../shared/contract/files.ts'
import { downloadFile } from '../../session/download.ts'
import { useApiPages } from '../../session/pages.ts'
import { settings } from '../../texts/settings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatSize } from '../../ui/file-size.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { notifyError } from '../../ui/toast.tsx'

const texts = settings.files
const PAGE_SIZE = 50

export const FilesPage = () => {
  const [removing, setRemoving] = useState<StoredFile>()
  const query = useApiPages(
    listFiles,
    {},
    (before) => ({ query: { limit: PAGE_SIZE, ...(before && { before }) } }),
    (page) => (page.length === PAGE_SIZE ? page.at(-1)?.id : undefined),
  )
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={{ ...query, data: query.data?.pages.flat() }}>
        {(files) =>
          files.length ? (
            <FileTable files={files} onRemove={setRemoving} />
          ) : (
            <EmptyState
              icon="file"
              title={texts.empty}
              actions={
                <Link className="button" to="/chat" search>
                  {texts.chat}
                </Link>
              }
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={query} />
      <RemovalDialog
        row={deleteFile}
        entry={removing && { name: removing.name, args: { params: { file_id: removing.id } } }}
        texts={{
          title: texts.removeTitle,
          note: texts.removeNote,
          action: texts.remove,
          done: texts.removed,
        }}
        onClose={() => setRemoving(undefined)}
      />
    </Page>
  )
}

interface FileTableProps {
  files: readonly StoredFile[]
  onRemove: (file: StoredFile) => void
}

const FileTable = ({ files, onRemove }: FileTableProps) => (
  <Table
    label={texts.list}
    columns={[texts.name, texts.type, { label: texts.size, isNumeric: true }, texts.uploaded, '']}
  >
    {files.map((file) => {
      const { id, name, type, size, has_text, created_at } = file
      const isPicture = type.startsWith('image/')
      return (
        <tr key={id}>
          <td className="file-name">
            <bdi>{name}</bdi>
          </td>
          <td>
            {type}
            {!has_text && !isPicture && <span className="quiet"> {texts.noText}</span>}
          </td>
          <td className="numeric">{formatSize(size)}</td>
          <td>
            <Time iso={created_at} />
          </td>
          <td className="row-actions">
            <IconButton
              icon="download"
              isSmall
              label={texts.download(name)}
              onPress={() =>
                void downloadFile(`/api/files/${encodeURIComponent(id)}/content`, name).catch(
                  notifyError,
                )
              }
            />
            <Button
              isSmall
              look="danger"
              aria-label={texts.removeNamed(name)}
              onPress={() => onRemove(file)}
            >
              {texts.remove}
            </Button>
          </td>
        </tr>
      )
    })}
  </Table>
)
