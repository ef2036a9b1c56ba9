import { expect, test } from 'bun:test'
import type { OrgMember } from '../../shared/contract/organizations.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { PASSWORD, type TestUser, useServer } from '../harness/server.ts'
import { createOrgClient } from './organization-support.ts'

const server = useServer({ SVC_DEFAULT_TIER: 'conscious' })
const { call, createOrg, invite, join } = createOrgClient(server)

/** All actions of two members on each other and on themselves, in parallel. */
const allActions = (org: { id: string }, one: TestUser, other: TestUser, late: string) => {
  const at = (user: TestUser) => `orgs/${org.id}/members/${user.id}`
  return [
    call(one, 'PATCH', at(other), { role: 'owner' }),
    call(other, 'PATCH', at(one), { role: 'member' }),
    call(one, 'POST', `orgs/${org.id}/invites`, { email: late }),
    call(one, 'POST', `orgs/${org.id}/activate`),
    call(one, 'POST', 'auth/api-keys', { name: 'late', org_id: org.id }),
    call(one, 'PATCH', `orgs/${org.id}`, { name: 'Renamed' }),
    call(other, 'DELETE', at(one)),
  ]
}

test.each(['stay', 'delete their accounts', 'delete the organization'])(
  'parallel changes of members leave an owner and fail with no 500, while some members %s',
  async (what) => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const team = [ada]
    for (let i = 0; i < 4; i++) team.push(await join(ada, org, i % 2 ? 'owner' : 'admin'))
    // No action is on this owner; otherwise the deletion of the last account could delete the organization.
    const bystander = await join(ada, org)
    const joining = await newVerifiedUser(server.current)
    const { token } = await invite(ada, org, joining.email)

    let isOver = false
    const writing = team.map(async (user, index) => {
      const seen: number[] = []
      for (let n = 0; !isOver; n++) {
        const body = { content: `Note ${n} of ${index}`, thread: 'log' }
        const inOrg = { headers: { 'x-org-id': org.id } }
        seen.push((await call(user, 'POST', 'remember', body, inOrg)).status)
      }
      return seen
    })
    const last = team.slice(3)
    const answers = await Promise.all([
      ...team.flatMap((user, i) =>
        allActions(org, user, team[(i + 1) % 5] as TestUser, `late-${i}@example.com`),
      ),
      call(joining, 'POST', 'invites/accept', { token }),
      ...(what === 'delete their accounts'
        ? last.map((user) => call(user, 'DELETE', 'auth/delete-account', { password: PASSWORD }))
        : []),
      ...(what === 'delete the organization'
        ? last.map((user) => call(user, 'DELETE', `orgs/${org.id}`))
        : []),
    ])
    isOver = true
    const written = (await Promise.all(writing)).flat()
    const statuses = [...written, ...answers.map(({ status }) => status)]
    expect(statuses.filter((status) => status >= 500)).toEqual([])

    const lists = await Promise.all(
      [...team, bystander, joining].map((user) => call(user, 'GET', `orgs/${org.id}/members`)),
    )
    const members: OrgMember[] = lists.find(({ status }) => status === 200)?.body ?? []
    const inside = lists.filter(({ status }) => status === 200)
    expect(inside).toHaveLength(members.length)
    if (what !== 'delete the organization')
      expect(members.map(({ role }) => role)).toContain('owner')
  },
)
