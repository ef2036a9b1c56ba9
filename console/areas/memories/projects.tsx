import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetMatching, restoreMatching } from '../../../shared/contract/memory-bulk.ts'
import {
  listProjects,
  mergeProject,
  type ProjectSummary,
} from '../../../shared/contract/projects.ts'
import { callApi } from '../../session/client.ts'
import { useAction, useApi } from '../../session/query.ts'
import { queryClient } from '../../session/query-client.ts'
import { common } from '../../texts/common.ts'
import { memoriesOf } from '../../texts/counts.ts'
import { memories } from '../../texts/memories.ts'
import { projects as texts } from '../../texts/projects.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { refreshAfterWrite } from './actions.ts'

/** The projects that memories are about, each to open, merge and delete as a whole. */
export const ProjectsPage = () => {
  const query = useApi(listProjects, {})
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
      <Loaded query={query}>
        {({ projects }) =>
          projects.length ? (
            <ul className="list" aria-label={texts.list}>
              {projects.map((each) => (
                <Project key={each.project} summary={each} />
              ))}
            </ul>
          ) : (
            <Empty />
          )
        }
      </Loaded>
    </Page>
  )
}

const Project = ({ summary }: { summary: ProjectSummary }) => {
  const { project, memories: count, conversations, last_at, aliases } = summary
  return (
    <li className="capture-row">
      <div className="grow">
        <Link className="capture-name" to="/memories" search={{ project }}>
          <bdi>{project}</bdi>
        </Link>
        <p className="quiet small">
          {memoriesOf(count)}
          {conversations > 0 && ` · ${texts.conversations(conversations)}`}
          {' · '}
          <Time iso={last_at} />
        </p>
        {aliases.length > 0 && (
          <p className="quiet small">
            <bdi>{texts.merged(aliases.join(', '))}</bdi>
          </p>
        )}
      </div>
      <div className="row">
        <MergeButton project={project} />
        <DeleteButton project={project} />
      </div>
    </li>
  )
}

const MergeButton = ({ project }: { project: string }) => {
  const [isOpen, setOpen] = useState(false)
  const merge = useAction(mergeProject, {
    onSuccess: async ({ project: into }) => {
      setOpen(false)
      await refresh()
      notify(texts.mergedInto(into))
    },
  })
  return (
    <>
      <Button isSmall aria-label={texts.mergeNamed(project)} onPress={() => setOpen(true)}>
        {texts.merge}
      </Button>
      <NameDialog
        title={texts.mergeTitle(project)}
        action={texts.merge}
        label={texts.into}
        note={texts.mergeNote}
        isOpen={isOpen}
        change={merge}
        onSubmit={(into) => merge.mutate({ body: { project, into } })}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

const DeleteButton = ({ project }: { project: string }) => {
  const [isPending, setPending] = useState(false)
  return (
    <Button
      isSmall
      look="danger"
      aria-label={texts.deleteNamed(project)}
      isPending={isPending}
      onPress={() => {
        setPending(true)
        void deleteProject(project)
          .catch(notifyError)
          .finally(() => setPending(false))
      }}
    >
      {common.delete}
    </Button>
  )
}

const refresh = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [listProjects.name] }),
    refreshAfterWrite(),
  ])
}

/** Deletes the memories of a project, with a toast that undoes it. */
const deleteProject = async (project: string): Promise<void> => {
  const { count, deleted_since } = await callApi(forgetMatching, { body: { project } })
  await refresh()
  if (deleted_since === null) return
  const undo = async () => {
    const restored = await callApi(restoreMatching, { body: { project, deleted_since } })
    await refresh()
    notify(texts.restored(restored.count))
  }
  notify(texts.deleted(count), { label: common.undo, run: () => void undo().catch(notifyError) })
}

const Empty = () => (
  <EmptyState
    icon="branch"
    title={texts.empty}
    actions={
      <div className="capture-command">
        <CopyBlock text={texts.command} label={texts.copyCommand} />
      </div>
    }
  >
    {texts.emptyNote}
  </EmptyState>
)
