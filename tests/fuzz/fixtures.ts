/** Sends JSON as a user, and returns the body of the response; throws on an error. */
export type Send = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** Creates rows and returns their ids by the names of path parameters and fields, so that requests get past 404. */
export const createFixtures = async (send: Send, other: { id: string; username: string }) => {
  const id = async (path: string, body: object) => {
    const created = await send('POST', path, body)
    return String(
      created.id ??
        created.memory_id ??
        created.device_id ??
        created.reflex_id ??
        created.thread_id,
    )
  }
  await send('POST', '/api/talk', { agent_slug: 'helper', message: 'Hello' })
  return {
    event_id: '1',
    memory_id: await id('/api/remember', { content: 'Ada likes tea.' }),
    session_id: await id('/api/sessions', { title: 'A session' }),
    category_id: await id('/api/sessions/categories', { name: 'Work' }),
    device_id: await id('/api/senses/devices', { device_name: 'Phone' }),
    thread_id: await id('/api/dm/threads', { username: other.username }),
    user_id: other.id,
    username: other.username,
    slug: 'helper',
    agent_slug: 'helper',
    provider: 'github',
    key: 'auto_fetch_urls',
    engine: 'graph',
    model: 'a-model',
    response_id: 'resp_1',
  }
}

/** The ids of a new organization and of what it has, and its SCIM token. */
export const createOrgFixtures = async (
  send: (token: string, path: string, body: object) => Promise<Record<string, unknown>>,
  accessToken: string,
) => {
  const { id: org_id } = await send(accessToken, '/api/orgs', { name: 'Analytics' })
  const path = `/api/orgs/${org_id}`
  const domain = await send(accessToken, `${path}/domains`, { domain: 'analytics.example.com' })
  const { token } = await send(accessToken, `${path}/scim/tokens`, { name: 'Okta' })
  const userName = `user-${crypto.randomUUID()}@example.com`
  const user = await send(String(token), '/api/scim/v2/Users', { userName })
  return {
    token: String(token),
    ids: {
      org_id: String(org_id),
      domain_id: String(domain.id),
      resource_id: String(user.id),
    },
  }
}
