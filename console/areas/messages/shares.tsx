import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteShare, listShares, type OwnShare } from '../../../shared/contract/shares.ts'
import { useApiPages } from '../../session/pages.ts'
import { shares as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const PAGE = 50

const titleOf = ({ title }: OwnShare): string => title || texts.untitled

export const SharesPage = () => {
  const [revoking, setRevoking] = useState<OwnShare>()
  const shares = useApiPages(
    listShares,
    {},
    (before) => ({ query: { limit: PAGE, ...(before && { before }) } }),
    (page) => (page.length === PAGE ? page.at(-1)?.token : null),
  )
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={{ ...shares, data: shares.data?.pages.flat() }}>
        {(list) =>
          list.length ? (
            <ShareTable shares={list} onRevoke={setRevoking} />
          ) : (
            <EmptyState
              icon="share"
              title={texts.empty}
              actions={
                <Link to="/chat" className="button primary">
                  {texts.toChat}
                </Link>
              }
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={shares} />
      <RemovalDialog
        row={deleteShare}
        entry={revoking && { name: titleOf(revoking), args: { params: { token: revoking.token } } }}
        texts={{
          title: texts.revokeTitle,
          note: texts.revokeNote,
          action: texts.revoke,
          done: texts.revoked,
        }}
        onClose={() => setRevoking(undefined)}
      />
    </Page>
  )
}

interface ShareTableProps {
  shares: readonly OwnShare[]
  onRevoke: (share: OwnShare) => void
}

const ShareTable = ({ shares, onRevoke }: ShareTableProps) => (
  <Table label={texts.list} columns={[texts.conversation, texts.messages, texts.created, '']}>
    {shares.map((share) => (
      <tr key={share.token}>
        <td>
          <bdi>{titleOf(share)}</bdi>
        </td>
        <td>{share.message_count}</td>
        <td className="nowrap">
          <Time iso={share.created_at} />
        </td>
        <td className="row-actions">
          <CopyButton text={share.url} label={texts.copy(titleOf(share))} />
          <a
            className="button small"
            href={share.url}
            target="_blank"
            rel="noreferrer"
            aria-label={texts.openNamed(titleOf(share))}
          >
            {texts.open}
          </a>
          <Button
            isSmall
            look="danger"
            aria-label={texts.revokeNamed(titleOf(share))}
            onPress={() => onRevoke(share)}
          >
            {texts.revoke}
          </Button>
        </td>
      </tr>
    ))}
  </Table>
)
